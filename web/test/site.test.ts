import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { sitePages } from '../../src/site/pages.ts'
import { makeVotedEdition, managerOf, step, vote } from '../../test/award-votes.ts'
import { giveBadge, makeBadge } from '../../test/badges.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadeTournament, makePlatform, makeTeam, makeTournament, touch } from '../../test/make.ts'
import { makeFlair, makeMaps, makePool } from '../../test/pools.ts'
import { type Cup, makeCup, makePlayers, open, type Player, play } from '../../test/qualifiers.ts'
import { readRouteTree } from '../route-tree.ts'
import { addressOf } from '../worker/addresses.ts'
import { frameOperations, pageOperations } from './page-operations.ts'
import { makeShownMatches, type ShownMatches } from './shown-matches.ts'
import { expectAloud, readAloud } from './site/aloud.ts'
import { askedBy, complaintsOf, faultsOf, isPublic, isSettled, pathOf, widerOf } from './site/checks.ts'
import { failAll, movedBy } from './site/held.ts'
import { buildStretched, faultsOfStretched } from './site/stretched.ts'

/** The website in a real browser, over a real service, as its readers use it. (W3 to W22) */

let api: Harness
let browser: RealBrowser
let made: Awaited<ReturnType<typeof makeBracket>>
let round: Awaited<ReturnType<typeof makeBracket>>
let draft: { readonly id: string }
/** Tournaments before registration, in it, cancelled, and after their end. */
let stages: Readonly<Record<'soon' | 'open' | 'off' | 'over', MadeTournament>>
let bracketPath: string
let qualifier: { readonly cup: Cup; readonly maps: readonly string[] }
let poolPath: string
/** Addresses of records outside the tournaments. */
let others: readonly string[] = []
let shown: ShownMatches
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeBracket(api, { teams: 8, format: 'double_elimination', settings: { bestOf: 3 } })
  round = await makeBracket(api, { teams: 4, format: 'round_robin', settings: { bestOf: 3 } })
  draft = await makeTournament(api, made.organiser, { status: 'draft' })
  await api.patch(made.path, made.organiser, {
    description: '# A cup\n\nWith **rules**.',
    rules: '## Fair play\n\n1. Be kind.',
    summary: 'نص من اليمين إلى اليسار and a summary that goes on for a while, so that it has to be broken somewhere.',
  })
  await api.post(`${made.path}/updates`, made.organiser, {
    guid: crypto.randomUUID(),
    title: 'News',
    content: 'The *finals* move.',
  })
  await made.win(1, 'team-1')
  await made.win(2, made.bracket.matches[1].sides[0].team.id)
  await api.post(`${made.match(3)}/start`, made.organiser)
  bracketPath = `/t/${made.cup.id}/bracket/main/${made.bracket.guid}`
  qualifier = await makeQualifier()
  poolPath = `/t/${made.cup.id}/pools/${await makeShownPool()}`
  stages = await makeStages()
  others = await makeOthers()
  shown = await makeShownMatches(api)
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await shown?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

async function makeStages(): Promise<typeof stages> {
  const { organiser } = made
  const size = { min: 1, max: 1, active: 1 }
  const dates = {
    registrationClosesAt: inDays(5),
    startsAt: inDays(9),
    endsAt: inDays(12),
    teamSize: size,
    capacity: 4,
  }
  const soon = await makeTournament(api, organiser, {
    ...dates,
    name: 'Soon Cup',
    registrationOpensAt: inDays(2),
    requirements: { emailVerified: true, rankA: { max: 5_000 } },
  })
  const open = await makeTournament(api, organiser, { ...dates, name: 'Open Cup', registrationOpensAt: inDays(-2) })
  const off = await makeTournament(api, organiser, { ...dates, name: 'Off Cup' })
  await api.post(`/tournaments/${off.id}/updates`, organiser, {
    guid: crypto.randomUUID(),
    title: 'It does not take place',
    content: 'Too **few** teams.',
  })
  await api.post(`/tournaments/${off.id}/status`, organiser, { status: 'cancelled', reason: 'The hall has burnt down' })
  const past = await makeBracket(api, {
    teams: 2,
    format: 'single_elimination',
    settings: { bestOf: 3 },
    tournament: { name: 'Past Cup' },
  })
  await past.win(1, 'team-2')
  await api.patch(past.match(1), past.organiser, { vodUrl: 'https://vod.example.org/1' })
  await api.post(`${past.path}/status`, past.organiser, { status: 'completed' })
  await api.put(`${made.path}/channels`, organiser, {
    revision: 0,
    channels: [{ name: 'Main stage', url: 'https://stream.example.org/main', delaySeconds: 0 }],
  })
  const streamed = { scheduledAt: inDays(0).toISOString(), streamUrl: 'https://stream.example.org/main' }
  await api.patch(made.match(3), organiser, streamed)
  await api.patch(made.match(4), organiser, { scheduledAt: inDays(1).toISOString() })
  return { soon, open, off, over: past.cup }
}

/** A qualifier with a team above its line and one below. */
async function makeQualifier() {
  const cup = await makeCup(api)
  const maps = await open(api, cup, { cutoff: 1, attempts: 2 })
  for (const scores of [
    [900, 500],
    [800, 700],
  ]) {
    const [player] = (await makePlayers(api, cup)) as [Player]
    await play(api, cup, maps, player, scores)
  }
  return { cup, maps }
}

async function makeShownPool(): Promise<string> {
  const [[first, second], flairGuid] = await Promise.all([makeMaps(api, 2), makeFlair(api, made.cup.guid, 'Speed')])
  if (first === undefined || second === undefined) throw new Error('two maps were asked for')
  const maps = [{ mapGuid: first.guid, flairGuid }, second.guid]
  return (await makePool(api, made.cup.guid, { name: 'Finals', status: 'published', maps })).guid
}

/** A platform, a pool with its maps, awards with results, and a badge that somebody holds. */
async function makeOthers(): Promise<readonly string[]> {
  const platform = await makePlatform(api)
  const { guid: cup } = await makeTournament(api, made.organiser)
  const maps = await makeMaps(api, [{ name: 'A map with quite a long name that goes on' }, { name: null, key: null }])
  const flairGuid = await makeFlair(api, cup, 'Tech')
  const pool = await makePool(api, cup, {
    status: 'published',
    maps: maps.map(({ guid }, at) => ({ mapGuid: guid, flairGuid, isTiebreaker: at === 1 })),
  })
  const edition = await makeVotedEdition(api)
  const [category] = edition.categories as [(typeof edition.categories)[number]]
  await vote(api, edition, category, await api.user(), 0)
  await step(api, edition, 'counting')
  await step(api, edition, 'published')
  const manager = await managerOf(api)
  const badge = await makeBadge(api, manager)
  await giveBadge(api, manager, badge, made.organiser, { label: '1st place' })
  return [
    `/p/${platform.contextId}`,
    ...maps.map(({ guid }) => `/maps/${guid}`),
    `/pools/${pool.guid}`,
    `/awards/${edition.guid}`,
    `/badges/${badge.guid}`,
  ]
}

const loaded = (page: Page) => expect.poll(() => page.locator('main h1').count()).toBeGreaterThan(0)
/** Nothing is loading any more. */
async function settled(page: Page): Promise<void> {
  await loaded(page)
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
}

function addresses(): readonly string[] {
  const cup = `/t/${made.cup.id}`
  const ofQualifier = `/t/${qualifier.cup.tournament.id}/qualifier`
  return [
    '/',
    '/tournaments',
    '/tournaments?status=completed',
    ...['/tournaments?view=table', '/tournaments?q=nothing&status=ongoing&from=2026-01-01'],
    '/search?q=team',
    ...['/calendar', '/calendar?view=week', '/calendar?view=list&kinds=match,award'],
    ...['/maps', '/maps?q=one&mapper=two&from=1&to=9&sort=stars', '/awards', '/badges', '/badges?kind=award'],
    ...others,
    '/about',
    '/about/accessibility',
    '/about/licences',
    '/packages',
    cup,
    ...['rules', 'teams', 'teams/team-1', 'matches', 'schedule', 'updates', 'staff'].map((page) => `${cup}/${page}`),
    ...['matches?by=round&team=team-1', 'schedule?view=list&zone=tournament'].map((page) => `${cup}/${page}`),
    ...Object.values(stages).map(({ id }) => `/t/${id}`),
    `/t/${stages.soon.id}/teams`,
    ...['', '?of=players', `?map=${qualifier.maps[0]}`].map((query) => `${ofQualifier}${query}`),
    `${cup}/pools`,
    poolPath,
    `${cup}/m/main/1`,
    `${cup}/m/main/3`,
    // Waits for another one, may not be needed; is being played, is planned, waits for both sides.
    ...[5, made.bracket.matches.length].map((number) => `${cup}/m/main/${number}`),
    ...[1, 2, 3].map(shown.at),
    `${cup}/standings/${made.bracket.guid}`,
    bracketPath,
    `${bracketPath}?view=list`,
    `${bracketPath}?view=team&team=team-1`,
    `/t/${round.cup.id}/bracket/main/${round.bracket.guid}`,
    `/embed${cup}/bracket/${made.bracket.guid}`,
    `/embed/t/${round.cup.id}/bracket/${round.bracket.guid}?theme=dark`,
    `/embed${cup}/schedule?theme=light`,
    `/u/${made.organiser.guid}`,
    '/nothing/here',
  ]
}

const widths = [360, 1440] as const
/** What pages ask for readers who are signed in alone, or in states that no record here has. */
const notHere: readonly string[] = [
  ...['access.read', 'awards.eligibility', 'awards.nominate', 'awards.nominations', 'awards.ownVotes'],
  ...['awards.takeVoteBack', 'awards.vote', 'awards.withdrawNomination'],
  ...['flowSessions.act', 'flowSessions.claim', 'flowSessions.log', 'flowSessions.setClock', 'flowSessions.undo'],
  // The keys of packages are at an address of their own, which is not among those of the API that are seen here.
  ...['outlook.ofBracket', 'packages.keys', 'platforms.mine', 'qualifiers.attempts', 'registration.eligibility'],
  ...['users.agenda', 'users.list', 'users.ongoingTournaments'],
]
/** What each page asked for, by its path in docs/generated/pages.md. */
const asked = new Map<string, Set<string>>()

describe('every page', () => {
  test.each(widths)(
    'at %i px, in light and dark: whole, accessible, and with nothing from elsewhere',
    async (width) => {
      await using visitor = await browser.visitor(api)
      const { page } = visitor
      const complaints = complaintsOf(page)
      const asks = askedBy(page)
      const faults: string[] = []
      for (const address of [...addresses(), ...servicePages]) {
        complaints.length = 0
        await page.setViewportSize({ width, height: 800 })
        const answer = await page.goto(address)
        const isUnknown = address === '/nothing/here'
        const found = await isSettled(page).then(
          () => faultsOf(page),
          () => [`never settled: ${complaints.join(' ')}`],
        )
        if (width > 768) {
          await page.setViewportSize({ width: 768, height: 1024 })
          const wider = await widerOf(page)
          if (wider > 0) found.push(`${wider} px too wide at 768`)
        }
        if (answer?.status() !== (isUnknown ? 404 : 200)) found.push(`answered ${answer?.status()}`)
        found.push(...complaints.filter((text) => !(isUnknown && text.includes('404'))))
        faults.push(...found.map((fault) => `${address}: ${fault}`))
        const names = await asks.take()
        const path = pathOf(address)
        if (path !== undefined) asked.set(path, new Set([...(asked.get(path) ?? []), ...names]))
      }
      expect(faults).toEqual([])
      expect(visitor.outside).toEqual([])
    },
  )

  test('asks for what docs/generated/pages.md says', () => {
    const publicPages = pageOperations.filter(({ path }) => isPublic(path))
    // By addresses that answers of the API give.
    const given = new Set(['pools.playlist'])
    const wrong = publicPages.flatMap(({ path, operations }) => {
      const seen = asked.get(path)
      if (seen === undefined) return path === '/t/:tournament/bracket' ? [] : [`${path} was not opened`]
      const more = [...seen].filter((name) => ![...operations, ...frameOperations, ...given].includes(name))
      return more.map((name) => `${path} asks also for ${name}`)
    })
    expect(wrong).toEqual([])
    const all = new Set([...asked.values()].flatMap((names) => [...names]))
    const never = new Set(publicPages.flatMap(({ operations }) => operations).filter((name) => !all.has(name)))
    expect([...never].toSorted()).toEqual(notHere)
  })

  test('has room for words of 140 % from right to left, and none that are not in the file of words', async () => {
    await using stretched = await buildStretched()
    await using visitor = await browser.visitor(api)
    expect(await faultsOfStretched(visitor.page, stretched, addresses())).toEqual([])
  })
})

/** Pages that the service makes itself, in the look of the website; the first leads to the sign-in. */
const servicePages = ['/device', '/bridge']

const cup = ['SportsEvent', 'BreadcrumbList']
const crumbs = ['BreadcrumbList']
/** What the head of each page says: its title, the things that it is about, and whether it has a calendar or is hidden. */
const heads: Readonly<Record<string, readonly [title: RegExp, types: readonly string[], more?: 'feed' | 'private']>> = {
  '/': [/^Downbeat$/, []],
  '/tournaments': [/^Tournaments$/, []],
  '/search': [/^Search$/, [], 'private'],
  '/calendar': [/^Calendar$/, [], 'feed'],
  '/p/:platform': [/^Platform /, []],
  '/maps': [/^Maps$/, []],
  '/maps/:map': [/^A map with quite a long name/, crumbs],
  '/pools/:pool': [/ · Tournament /, crumbs],
  '/awards': [/^Awards$/, []],
  '/awards/:edition': [/^Awards \d/, crumbs],
  '/badges': [/^Badges$/, []],
  '/badges/:badge': [/^\S/, crumbs],
  '/u/:user': [/^player/, []],
  '/about': [/^About Downbeat$/, []],
  '/about/accessibility': [/^Accessibility$/, []],
  '/about/licences': [/^Licences$/, []],
  '/packages': [/^Check a package$/, []],
  '/embed/t/:tournament/bracket/:bracket': [/^Bracket · Tournament /, [], 'private'],
  '/embed/t/:tournament/schedule': [/^Schedule · Tournament /, [], 'private'],
  '/t/:tournament': [/^Tournament /, cup, 'feed'],
  '/t/:tournament/rules': [/^Rules · Tournament /, cup, 'feed'],
  '/t/:tournament/teams': [/^Teams · Tournament /, cup, 'feed'],
  '/t/:tournament/teams/:team': [/^Team 1 · Tournament /, crumbs],
  '/t/:tournament/qualifier': [/^Qualifier · Tournament /, cup, 'feed'],
  '/t/:tournament/pools': [/^Map pools · Tournament /, cup, 'feed'],
  '/t/:tournament/pools/:pool': [/^Finals · Tournament /, crumbs],
  '/t/:tournament/bracket': [/^Bracket · Tournament /, cup, 'feed'],
  '/t/:tournament/bracket/:division/:bracket': [/^Bracket · Tournament /, cup, 'feed'],
  '/t/:tournament/matches': [/^Matches · Tournament /, cup, 'feed'],
  '/t/:tournament/m/:division/:number': [/^Team \d against Team \d · Tournament /, cup],
  '/t/:tournament/standings/:bracket': [/^Standings · Tournament /, cup, 'feed'],
  '/t/:tournament/schedule': [/^Schedule · Tournament /, cup, 'feed'],
  '/t/:tournament/updates': [/^Updates · Tournament /, cup, 'feed'],
  '/t/:tournament/staff': [/^Staff · Tournament /, cup, 'feed'],
}

describe('the head', () => {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${api.url}${path}`, { headers: { accept: 'text/html', ...headers } })
    return { status: reply.status, text: await reply.text(), headers: reply.headers }
  }

  test('tells crawlers and chats what the page is about', async () => {
    const { status, text, headers } = await read(`/t/${made.cup.id}/m/main/1`)
    expect(status).toBe(200)
    const [first, second] = made.bracket.matches[0].sides.map((side: { team: { name: string } }) => side.team.name)
    expect(text).toContain(`<meta property="og:title" content="${first} against ${second} · `)
    expect(text).toMatch(/<meta name="description" content="Match 1 of [^"]+, best of 3\. [^"]+ 2, [^"]+ 0\."/)
    expect(text).toMatch(/<link rel="canonical" href="[^"]+\/m\/main\/1">/)
    expect(text).toContain('"@type":"BreadcrumbList"')
    const told = ['cache-control', 'vary', 'content-encoding', 'set-cookie'].map((name) => headers.get(name))
    expect(told).toEqual(['no-cache', 'Accept-Encoding', expect.stringMatching(/^(br|gzip)$/), null])
    const again = await read(`/t/${made.cup.id}/m/main/1`, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test.each(Object.entries(heads))('of %s has what crawlers and chats look for', async (path, [title, types, more]) => {
    const address = addresses().find((each) => pathOf(each) === path) ?? path.replace(':tournament', made.cup.id)
    const { status, text, headers } = await read(address)
    const head = text.slice(0, text.indexOf('</head>'))
    const meta = (name: string) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(head)?.[1]
    const linked = [...head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const here = `${api.url}${address.split('?')[0]}`
    expect({
      status,
      title: /<title>(.*) · Downbeat<\/title>|<title>(Downbeat)<\/title>/.exec(head)?.slice(1).find(Boolean),
      shown: meta('og:title'),
      url: meta('og:url'),
      card: [meta('twitter:card'), meta('og:image')],
      types: linked.map(([, data = '']) => JSON.parse(data)['@type']),
      canonical: /<link rel="canonical" href="([^"]+)"/.exec(head)?.[1],
      robots: meta('robots'),
      feed: head.includes('type="text/calendar"'),
      cookies: [headers.get('set-cookie'), headers.get('vary')],
    }).toEqual({
      status: 200,
      title: expect.stringMatching(title),
      shown: expect.stringMatching(title),
      url: here,
      card: ['summary_large_image', expect.stringMatching(/^http/)],
      types,
      canonical: more === 'private' ? undefined : here,
      robots: more === 'private' ? 'noindex' : undefined,
      feed: more === 'feed',
      cookies: [null, 'Accept-Encoding'],
    })
    if (more !== 'private')
      expect(meta('description') ?? meta('og:title')).toBe(meta('og:description') ?? meta('og:title'))
    // The same to everybody, whichever cookies their browser has.
    expect((await read(address, { cookie: 'downbeat_session=abc; session=abc' })).text).toBe(text)
  })

  test('is listed for every page that is for everybody', () => {
    const paths = sitePages.map(({ path }) => path).filter(isPublic)
    expect(Object.keys(heads).toSorted()).toEqual(paths.toSorted())
  })

  test('of what is unknown and of what is hidden is one', async () => {
    const nobody = crypto.randomUUID()
    const unknown = sitePages.flatMap(({ path, reads = [] }) =>
      reads.length === 0 ? [] : [path.replace(':tournament', draft.id).replace(/:\w+/g, nobody)],
    )
    unknown.push('/t/no-such-cup', `/t/${made.cup.id}/m/main/999`, `/t/${made.cup.id}/teams/nobody`, '/nothing/here')
    const [first, ...others] = await Promise.all(
      unknown.map(async (path) => {
        const { status, text, headers } = await read(path)
        return { status, head: text.replaceAll(path, ''), etag: headers.get('cache-control') }
      }),
    )
    expect(first).toMatchObject({ status: 404, etag: 'no-store' })
    expect(first?.head).toContain('<meta name="robots" content="noindex">')
    expect(first?.head).not.toContain('id="first"')
    for (const [at, other] of others.entries()) expect([unknown[at + 1], other]).toEqual([unknown[at + 1], first])
  })

  test('takes no markup from names and texts', async () => {
    await api.patch(made.path, made.organiser, { summary: '</script><script>alert(1)</script>"><b>' })
    const { text } = await read(`/t/${made.cup.id}`)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('"><b>')
    const data = /<script type="application\/json" id="first">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(Object.keys(JSON.parse(data))).toEqual([
      `/tournaments/${made.cup.id}?include=timeline,html`,
      `/tournaments/${made.cup.id}/divisions`,
    ])
  })

  test('programs are told in the words of the API', async () => {
    const reply = await fetch(`${api.url}/nothing/here`, { headers: { accept: 'application/json' } })
    expect([reply.status, reply.headers.get('problem-code')]).toEqual([404, 'route.unknown'])
    expect((await fetch(`${api.url}/licences.txt`)).status).toBe(200)
  })

  test('there is a page for each address of the routes', () => {
    const paths = readRouteTree().map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(15)
    expect(sitePages.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })
})

test('tables and forms are read out in words that stand for themselves', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  const said = new Map<string, string>()
  for (const address of addresses()) {
    const path = pathOf(address)
    const query = /\?(view=(?:list|team)|of|map)\b/.exec(address)?.[1]
    const name = `${path}${query === undefined ? '' : ` ${query}`}`
    if (path === undefined || said.has(name)) continue
    await page.goto(address)
    await isSettled(page)
    // Some of its sections are there only once they have something to show.
    if (path === '/t/:tournament') await page.waitForLoadState('networkidle')
    const words = await readAloud(page)
    if (words !== '') said.set(name, words)
  }
  expectAloud(said)
})

describe('live', () => {
  test('a score changes on the page of the match, in the bracket and on the first page without a reload', async () => {
    await using visitor = await browser.visitor(api)
    const [match, tree, home] = [visitor.page, await visitor.context.newPage(), await visitor.context.newPage()]
    await Promise.all([match.goto(`/t/${made.cup.id}/m/main/3`), tree.goto(bracketPath), home.goto('/')])
    await Promise.all([match, tree, home].map(settled))
    const number = tree.locator('a', { hasText: /^Match 3,/ }).first()
    await expect.poll(() => number.textContent()).toContain('Running')
    await expect.poll(() => home.locator('main li a', { hasText: 'Running' }).count()).toBeGreaterThan(0)
    for (const page of [match, tree, home]) await page.evaluate(() => Object.assign(globalThis, { untouched: true }))
    const game = { sides: [{ score: 900_000 }, { score: 800_000 }] }
    const reported = await api.put(`${made.match(3)}/games/1`, made.organiser, game)
    expect(reported.status, reported.text).toBeLessThan(300)
    await expect.poll(() => match.locator('main').textContent()).toContain('900,000')
    await expect.poll(() => number.textContent()).toMatch(/: \S.* 1, .* 0\./)
    await expect.poll(() => home.locator('main li a', { hasText: 'Running' }).first().textContent()).toMatch(/1.*0/)
    for (const page of [match, tree, home])
      expect(await page.evaluate(() => (globalThis as unknown as { untouched?: boolean }).untouched)).toBe(true)
  })

  test('a result that was not there before comes to the first page without a reload', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto('/')
    await settled(page)
    const other = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await other.win(1, 'team-1')
    await expect.poll(() => page.locator(`main a[href*="/${other.cup.id}/"]`).count()).toBeGreaterThan(0)
  })
})

describe('a match', () => {
  test('before it: both line-ups, the maps, when it starts; what its sides come from, who may not be needed', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(shown.at(2))
    await settled(page)
    const main = page.locator('main')
    const { sides } = await shown.made.readMatch(2)
    for (const { team } of sides) await expect.poll(() => main.textContent()).toContain(team.name)
    await expect.poll(() => main.getByRole('heading', { name: 'Line-ups' }).count()).toBe(1)
    await expect.poll(() => main.getByRole('listitem').filter({ hasText: 'mapped by Mapper' }).count()).toBe(9)
    expect(await main.getByRole('timer').textContent()).toMatch(/^1:(?:2\d:\d\d|30:00)$/)
    await page.goto(shown.at(3))
    await settled(page)
    const heading = page.locator('h1')
    expect(await heading.textContent()).toContain('Winner of 1')
    await expect.poll(() => main.textContent()).toContain('Winner of match 2')
    const last = made.bracket.matches.length
    await page.goto(`/t/${made.cup.id}/m/main/${last}`)
    await settled(page)
    expect(await main.textContent()).toContain(`Only if the side from the lower bracket wins match ${last - 1}.`)
  })

  test('is found by its GUID, as messages name it, and goes on to its own address', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(addressOf({ tournamentGuid: made.cup.guid, matchGuid: made.bracket.matches[0].guid }))
    await page.waitForURL(`**/t/${made.cup.id}/m/main/1`)
    await expect.poll(() => page.locator('h1').textContent()).toContain('Team ')
  })

  test('while it is played: values, turns and scores follow without a reload, the focus stays; a silent source is told', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    const complaints = complaintsOf(page)
    await page.goto(shown.at(1))
    await settled(page)
    const main = page.locator('main')
    const now = page.getByRole('region', { name: 'What happens now' })
    await expect.poll(() => now.textContent()).toContain('Game 1 is being played')
    expect(await page.getByRole('heading', { name: 'Live, game 1' }).count()).toBe(0)
    expect(
      await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .join(),
      ),
    ).not.toMatch(/chart/)
    const share = page.getByRole('button', { name: 'Hide scores' })
    await share.focus()
    // Values that were published before the page followed them do not come to it. More than some a second are refused.
    const values = page.getByRole('table', { name: 'Live values' })
    await expect
      .poll(
        async () => {
          await shown.publish(10, [0.95, 0.94])
          return await values.count()
        },
        { interval: 500, timeout: 60_000 },
      )
      .toBe(1)
    for (let second = 11; second < 16; second++) {
      await shown.publish(second, [0.95, 0.94])
      await page.waitForTimeout(260)
    }
    await expect.poll(() => page.getByRole('row').filter({ hasText: '95.00' }).first().textContent()).toContain('94.00')
    await expect.poll(() => page.locator('figure canvas').count()).toBe(1)
    expect(await page.locator('figcaption').textContent()).toMatch(/lead of Team 1/)
    await page.getByText('The lead as a table').click()
    expect(
      await page.getByRole('table').filter({ hasText: 'Lead of Team 1' }).getByRole('row').count(),
    ).toBeGreaterThan(2)
    await shown.publish(16, [0.95, 0.94], 'disconnected')
    await expect.poll(() => page.getByRole('region', { name: 'Live, game 1' }).textContent()).toMatch(/as of \d\d:\d\d/)
    await share.focus()
    await shown.play.scores(
      { score: 900_000, accuracy: 0.95, misses: 2 },
      { score: 890_000, accuracy: 0.94, misses: 3 },
    )
    await expect.poll(() => now.textContent()).toContain('Team 4 may claim a replay')
    await expect.poll(() => main.textContent()).toContain('Ahead, not final')
    await shown.play.call(shown.made.referee, 'clock', { op: 'pause' })
    await expect.poll(() => now.textContent()).toContain('Paused')
    await shown.play.call(shown.made.referee, 'clock', { op: 'resume' })
    await shown.play.act(2, { action: 'accept' })
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/Team 1\s*1\s*:?\s*to\s*0, Team 4/)
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'Team 1 1, Team 4 0.' }).count()).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Hide scores')
    expect(complaints).toEqual([])
  })

  test('its streams play when they are asked to: nothing of another host loads before, wherever the reader came in', async () => {
    await using visitor = await browser.visitor(api)
    const { page, outside } = visitor
    await page.goto(`/t/${shown.made.cup.id}/matches`)
    await settled(page)
    await page
      .locator(`main a[href="${shown.at(1)}"]`)
      .first()
      .click()
    await page.waitForURL(`**${shown.at(1)}`)
    const watch = page.getByRole('button', { name: /^Watch / })
    await expect.poll(() => watch.count()).toBe(2)
    expect(outside).toEqual([])
    await watch.last().click()
    await expect
      .poll(() => outside.some((each) => each.startsWith('https://player.twitch.tv/?channel=quaver_live')))
      .toBe(true)
    await page.getByRole('button', { name: 'Close the player' }).click()
    expect(await page.locator('iframe').count()).toBe(0)
    await watch.first().click()
    await expect.poll(() => outside.some((each) => each.startsWith('https://live.example.org/hls/'))).toBe(true)
  })

  test('after it: what follows; a correction tells from what to what, now and later, in the words of everybody', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await shown.play.scores({ score: 900_000, accuracy: 0.95 }, { score: 890_000, accuracy: 0.94 })
    await shown.play.act(2, { action: 'accept' })
    await page.goto(shown.at(1))
    await settled(page)
    const main = page.locator('main')
    await expect.poll(() => main.textContent()).toContain('Team 1 won 2 to 0.')
    await expect.poll(() => page.getByRole('link', { name: /^Match 3,/ }).count()).toBe(1)
    const { revision } = await shown.made.read()
    await shown.made.tell(1, { outcome: 'score', scores: [1, 2], reason: 'Told wrong.', revision })
    await expect.poll(() => main.textContent()).toContain('Corrected from 2 : 0 to 1 : 2')
    await page.reload()
    await settled(page)
    await expect.poll(() => main.textContent()).toContain('Corrected from 2 : 0 to 1 : 2')
    expect(await main.textContent()).not.toContain('Told wrong.')
    expect(await faultsOf(page)).toEqual([])
  })

  test('is read as what it is: sides with their score, games as tables, a row for each player', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(shown.at(1))
    await settled(page)
    await expect.poll(() => page.getByRole('heading', { name: 'Game 2' }).count()).toBe(1)
    const text = await page.locator('main').ariaSnapshot()
    const lines = text.split('\n').map((line) => line.trim())
    for (const line of [
      '- heading "Team 1 1 to 2 , Team 4" [level=1]:',
      '- img "Team 1 has 1 of 2 wins"',
      '- region "What happens now":',
      '- heading "Bans and games" [level=2]',
      '- heading "Line-ups" [level=2]',
      '- heading "Games" [level=2]',
      '- columnheader "Team 1"',
    ])
      expect(lines).toContain(line)
  })
})

describe('by keys alone', () => {
  let visitor: RealVisitor
  let page: Page
  beforeAll(async () => {
    visitor = await browser.visitor(api)
    page = visitor.page
  })
  afterAll(() => visitor?.close())

  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  test('the bracket is one stop; arrows move along the feeders, Enter opens, Back returns', async () => {
    await page.goto(bracketPath)
    await settled(page)
    expect(await page.locator('main ol a[tabindex="0"]').count()).toBe(1)
    await page.locator('main ol a[tabindex="0"]').focus()
    expect(await focused()).toMatch(/^Match 1,/)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toMatch(/^Match 2,/)
    const next = made.bracket.matches.find(
      ({ guid }: { guid: string }) => guid === made.bracket.matches[1].nextMatchGuid,
    )
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toMatch(new RegExp(`^Match ${next.number},`))
    expect(await page.locator('main ol a[tabindex="0"]').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/m/main/${next.number}`)
    await expect.poll(focused).toContain(' against ')
    await page.goBack()
    await page.waitForURL(`**${bracketPath}`)
    await page.locator('main ol a[tabindex="0"]').focus()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('after-bracket')
  })

  test('/ searches, ? tells the keys, g and a letter go', async () => {
    await page.goto('/')
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('team')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=team')
    await expect.poll(() => page.locator('main').textContent()).toMatch(/Team \d/)
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL('**/tournaments')
    await expect.poll(() => page.title()).toBe('Tournaments · Downbeat')
  })
})

test('a part that fails says so in the words of the service, and is tried again; the page stays', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  let isBroken = true
  await page.route('**/api/tournaments/*/teams?*', (route) =>
    isBroken
      ? route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: JSON.stringify({ error: 'Too much to do.' }),
          headers: { 'request-id': 'r-1' },
        })
      : route.continue(),
  )
  await page.goto(`/t/${made.cup.id}/teams`)
  const alert = page.getByRole('alert')
  await expect.poll(() => alert.textContent(), { timeout: 60_000 }).toContain('Too much to do.')
  expect(await alert.textContent()).toContain('r-1')
  expect(await alert.textContent()).not.toContain('{')
  expect(await page.locator('h1').textContent()).toBe('Teams')
  isBroken = false
  await alert.getByRole('button').click()
  await expect.poll(() => page.locator('main').textContent()).toContain('Team 8')
})

describe('awards', () => {
  const press = async (page: Page, name: RegExp) => {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
  }

  test('are voted for by keys alone: once in each category, changed and taken back in words', async () => {
    const edition = await makeVotedEdition(api, { categories: [{ name: 'Player' }, { name: 'Moment' }] })
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/awards/${edition.id}`)
    await settled(page)
    expect(await page.getByRole('radio').count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in to vote' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').fill('longa')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('radio').count()).toBe(6)
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    const said = () => page.locator('main').textContent()
    await expect.poll(said).toContain('You have voted in 0 of 2 categories.')
    const first = page.getByRole('radio', { name: 'Player: nominee 1' })
    // After the way back from the sign-in the heading takes the focus once.
    await expect
      .poll(async () => {
        await first.press('Space')
        return await first.isChecked()
      })
      .toBe(true)
    await press(page, /^Vote Player$/)
    await expect.poll(said).toContain('Your vote for Player: nominee 1 is saved.')
    expect(await said()).toContain('You have voted in 1 of 2 categories.')
    await page.getByRole('radio', { name: 'Player: nominee 1' }).focus()
    await page.keyboard.press('ArrowDown')
    await press(page, /^Change your vote Player$/)
    const changed = /Your vote is changed from Player: nominee 1 to Player: nominee \d\./
    await expect.poll(() => page.getByRole('status').filter({ hasText: changed }).count()).toBe(1)
    expect(await faultsOf(page)).toEqual([])
    await page.reload()
    await expect.poll(said).toMatch(/You voted for Player: nominee [23]\./)
    await press(page, /^Take back Player$/)
    await expect.poll(said).toContain('You have voted in 0 of 2 categories.')
    await step(api, edition, 'counting')
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)
    expect((await said())?.match(/Closed early \(planned: /g)).toHaveLength(1)
  })

  test('what is missing to vote is said in the words of the service', async () => {
    const edition = await makeVotedEdition(api, { rules: { link: 'either', linkBefore: new Date().toISOString() } })
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/awards/${edition.id}`)
    await settled(page)
    await signIn(page, 'maxima')
    await expect.poll(() => page.locator('main').textContent()).toContain('You cannot vote yet')
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  test('are nominated for, as often as there may be, and taken back', async () => {
    const categories = [{ name: 'Player', type: 'user', nominees: 0 } as const, { name: 'Moment', nominees: 0 }]
    const rules = { nominationsPerCategory: 1 }
    const edition = await makeVotedEdition(api, { status: 'nominating', rules, categories })
    await api.user({ name: 'semibreve' })
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/awards/${edition.id}`)
    await settled(page)
    await signIn(page, 'brevis')
    const [player, moment] = ['Player', 'Moment'].map((name) => page.getByRole('region', { name })) as [
      Locator,
      Locator,
    ]
    await moment.getByLabel(/^Nominate for Moment/).fill('The last note')
    await page.keyboard.press('Enter')
    await expect.poll(() => moment.textContent()).toContain('You have made your nomination here.')
    await player.getByLabel(/^Nominate for Player/).fill('semibreve')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(page, /^Nominate Player$/)
    await expect.poll(() => player.textContent()).toContain('You have made your nomination here.')
    expect(await player.textContent()).toContain('semibreve')
    await press(page, /^Take back The last note$/)
    await expect.poll(() => moment.getByLabel(/^Nominate for Moment/).count()).toBe(1)
    expect(await faultsOf(page)).toEqual([])
  })
})

describe('slow and failing reads', () => {
  test.each(widths)('at %i px: next to nothing moves when answers come', async (width) => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.setViewportSize({ width, height: 800 })
    const moved: string[] = []
    for (const address of addresses())
      moved.push(...(await movedBy(page, address)).map((each) => `${address}: ${each}`))
    expect(moved).toEqual([])
  })

  test('a page keeps its heading and says what failed, or that there is nothing', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await failAll(page, 400)
    const wrong: string[] = []
    for (const address of addresses()) {
      await page.goto(address)
      await isSettled(page).catch(() => wrong.push(`${address}: never settled`))
      const headings = await page.locator('main h1').allTextContents()
      if (headings.length !== 1 || headings[0] === '') wrong.push(`${address}: headings ${JSON.stringify(headings)}`)
    }
    expect(wrong).toEqual([])
  })

  test('after too many requests it counts, and goes on by itself', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    // What is followed would come all the same.
    await page.routeWebSocket('**/*', () => {})
    await page.goto('/tournaments?q=soon')
    await settled(page)
    await failAll(page, 429, { 'retry-after': '5' })
    await page.getByRole('link', { name: 'Soon Cup' }).first().click()
    await expect.poll(() => page.getByRole('button', { name: /^Try again in \d s$/ }).count()).toBe(1)
    await page.unroute('**/api/**')
    await expect.poll(() => page.locator('h1').textContent(), { timeout: 20_000 }).toBe('Soon Cup')
  })
})

test('hidden scores stay hidden after a reload, and nothing tells who won', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.goto(`/t/${made.cup.id}/m/main/1`)
  await settled(page)
  expect(await page.locator('main').textContent()).toContain('Winner')
  await page.getByRole('button', { name: 'Hide scores' }).click()
  await page.reload()
  await settled(page)
  expect(await page.getByRole('button', { name: 'Show scores' }).count()).toBe(1)
  await page.goto(bracketPath)
  await settled(page)
  const sentence = await page.locator('main ol a').first().textContent()
  expect(sentence).toContain('against')
  expect(sentence).not.toMatch(/\bwon\b| 2, .* 0\./)
})

test('a reader signs in from a page, comes back to it, and leaves nothing when they sign out', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.goto(`/t/${made.cup.id}/teams`)
  await settled(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Name').fill('quaver')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**/t/${made.cup.id}/teams*`)
  const own = page.getByRole('button', { name: 'quaver, your menu' })
  await own.click()
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/eyJ/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
  await page.reload()
  await expect.poll(() => page.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
})

/** Signs in by the name in the stand-in for the chat platform, and comes back to the page. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByRole('button', { name: `${name}, your menu` }).count()).toBe(1)
}

describe('the first page of a tournament tells what comes next', () => {
  const main = (page: Page) => page.locator('main').textContent()

  test('before registration: when it opens, and what is needed', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${stages.soon.id}`)
    await settled(page)
    const text = await main(page)
    expect(text).toMatch(/Registration opens in\s*1 day \d\d:\d\d:\d\d/)
    expect(text).toContain('Rank 5,000 or better on ranking A')
    expect(text).toContain('A verified e-mail address')
    expect(await page.locator('main .btn-primary').count()).toBe(1)
    await page.goto(`/t/${stages.soon.id}/teams`)
    await settled(page)
    expect(await main(page)).toMatch(/registration opens /i)
  })

  test('in registration: places left; what a reader can do, and that they have a place', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${stages.open.id}`)
    await settled(page)
    expect(await main(page)).toMatch(/4\s*places of 4 left/)
    expect(await page.getByRole('link', { name: 'Sign in to take part' }).count()).toBe(1)
    await signIn(page, 'breve')
    const act = page.getByRole('link', { name: 'Take part' })
    await expect.poll(() => act.getAttribute('href')).toBe(`/t/${stages.open.id}/team`)
    const [breve] = await api.sql<Caller>(`select guid from users where username = 'breve'`)
    if (breve === undefined) throw new Error('the reader has signed in')
    const home = await visitor.context.newPage()
    await home.goto('/')
    const places = () => home.locator(`main li:has(a[href="/t/${stages.open.id}"])`).textContent()
    await expect.poll(places).toMatch(/4\s*of 4 left/)
    await makeTeam(api, stages.open, breve, { name: 'Double Whole', status: 'registered' })
    await touch(api, stages.open.guid)
    await expect.poll(places).toMatch(/3\s*of 4 left/)
    await page.reload()
    await expect.poll(() => main(page)).toContain('Your team has its place')
    expect(await main(page)).toMatch(/3\s*places of 4 left/)
    expect(await page.locator('main .btn-primary').allTextContents()).toEqual(['Your team'])
  })

  test('what is missing is said in the words of the service', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${stages.soon.id}`)
    await settled(page)
    await signIn(page, 'crotchet')
    await expect.poll(() => main(page)).toContain('What is missing')
    expect(await main(page)).toContain('has to verify an e-mail address')
  })

  test('on the day of matches: who plays, who comes next, and where it is shown', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${made.cup.id}`)
    await settled(page)
    const headings = await page.locator('main h2').allTextContents()
    expect(headings.slice(0, 3)).toEqual(['Live now', 'Next matches', 'Channels'])
    expect(await main(page)).toContain('Main stage')
  })

  test('after the end: places, the last match, its recording; nothing of it while scores are hidden', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${stages.over.id}`)
    await settled(page)
    expect(await main(page)).toMatch(/1\s*(T2)?\s*Team 2\s*Winner/)
    expect(await page.getByRole('link', { name: 'Watch the recording' }).getAttribute('href')).toBe(
      'https://vod.example.org/1',
    )
    await page.getByRole('button', { name: 'Hide scores' }).click()
    expect(await main(page)).not.toMatch(/Team \d/)
  })

  test('cancelled: its name is struck, with why, and what was told last', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(`/t/${stages.off.id}`)
    await settled(page)
    expect(await page.locator('h1 s').textContent()).toBe('Off Cup')
    await expect.poll(() => main(page)).toContain('Too few teams.')
    expect(await main(page)).toContain('The hall has burnt down')
    expect(await page.locator('main .btn-primary').count()).toBe(0)
  })

  test('a draft: unknown to others, with a note for its staff', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto('/about')
    await settled(page)
    await signIn(page, 'minim')
    await api.sql(
      `update tournaments set organiser_guid = (select guid from users where username = 'minim') where id = $1`,
      [draft.id],
    )
    await page.goto(`/t/${draft.id}`)
    await expect.poll(() => main(page)).toContain('only its staff and reviewers see it')
  })
})

test('a schedule is a grid by channel or a list, in either zone, by its address', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await api.patch(made.path, made.organiser, { timezone: 'Asia/Tokyo' })
  await page.goto(`/t/${made.cup.id}/schedule`)
  await settled(page)
  expect(await page.getByRole('columnheader', { name: 'Main stage' }).count()).toBe(1)
  const first = () => page.locator('main tbody time').first().textContent()
  const own = await first()
  await page.getByRole('link', { name: 'Tournament’s time' }).click()
  await page.waitForURL('**/schedule?zone=tournament')
  expect(await first()).not.toBe(own)
  expect(await page.locator('main').textContent()).toContain('Times of Tokyo, UTC+9')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.waitForURL('**/schedule?zone=tournament&view=list')
  expect(await page.getByRole('columnheader', { name: 'Main stage' }).count()).toBe(0)
  await page.goBack()
})

test('where no tournament matches, it tells which filter to drop', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.goto('/tournaments?q=soon&status=ongoing')
  await settled(page)
  const drop = page.getByRole('link', { name: 'In any state' })
  await expect.poll(() => drop.count()).toBe(1)
  await drop.click()
  await expect.poll(() => page.locator('main').textContent()).toContain('Soon Cup')
  expect(new URL(page.url()).search).toBe('?q=soon')
})

test('the latest result is the first one, though it was planned for later', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  const late = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 3 } })
  await api.patch(late.match(1), late.organiser, { scheduledAt: inDays(3).toISOString() })
  await api.patch(late.match(2), late.organiser, { scheduledAt: inDays(-1).toISOString() })
  await late.win(2, 'team-2')
  await late.win(1, 'team-1')
  await page.goto('/')
  await settled(page)
  const results = page.locator('section', { has: page.getByRole('heading', { name: 'Latest results' }) }).locator('li')
  expect(await results.first().textContent()).toMatch(/Team 1[\s\S]*Team 4/)
})

describe('inside other websites', () => {
  test('a bracket has no bars, asks for no session, looks as it is told, and opens links beside', async () => {
    await using visitor = await browser.visitor(api)
    const { page, context } = visitor
    await page.goto('/')
    await page.evaluate(() => {
      localStorage.setItem('downbeat.signed-in', 'yes')
      localStorage.setItem('downbeat.preferences', JSON.stringify({ theme: 'light' }))
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.goto(`/embed/t/${made.cup.id}/bracket/${made.bracket.guid}?theme=dark`)
    await settled(page)
    expect(await page.locator('main ol a').count()).toBeGreaterThan(7)
    expect(await page.locator('header.no-print, body > div > header, footer, nav:not(main nav)').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(14, 19, 17)')
    expect(asked.filter((each) => each.includes('/auth/'))).toEqual([])
    const [opened] = await Promise.all([context.waitForEvent('page'), page.locator('main ol a').first().click()])
    await opened.waitForURL(new RegExp(`/t/${made.cup.id}/m/[^/]+/1$`))
    expect(new URL(page.url()).pathname).toMatch(/^\/embed\//)
  })

  test('only these pages may be framed', async () => {
    const headersOf = async (path: string) => {
      const { headers } = await fetch(`${api.url}${path}`, { headers: { accept: 'text/html' } })
      return [
        /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1],
        headers.get('x-frame-options'),
        headers.get('set-cookie'),
      ]
    }
    expect(await headersOf(`/embed/t/${made.cup.id}/schedule`)).toEqual(['*', null, null])
    expect((await headersOf(`/t/${made.cup.id}/schedule`))[0]).toBe("'none'")
  })

  test('the page of a bracket has the code for it', async () => {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    await page.goto(bracketPath)
    await settled(page)
    await page.getByRole('button', { name: 'Embed' }).click()
    const layer = page.getByRole('dialog')
    const code = layer.getByRole('textbox')
    const source = `/embed/t/${made.cup.id}/bracket/${made.bracket.guid}`
    expect(await code.inputValue()).toContain(`${source}" title="`)
    await layer.getByLabel('Dark').check()
    expect(await code.inputValue()).toContain(`${source}?theme=dark"`)
    await page.keyboard.press('Escape')
    await expect.poll(() => layer.isVisible()).toBe(false)
  })
})

test('colours follow the system, until the reader chooses', async () => {
  await using visitor = await browser.visitor(api, { dark: true })
  const { page } = visitor
  await page.goto('/')
  await settled(page)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await ground()).toBe('rgb(14, 19, 17)')
  await page.getByRole('button', { name: 'How pages look' }).click()
  await page.getByLabel('Light').check()
  expect(await ground()).toBe('rgb(245, 246, 243)')
  await page.reload()
  expect(await ground()).toBe('rgb(245, 246, 243)')
})
