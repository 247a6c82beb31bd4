import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeSheet, respond } from '../../test/availability.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from '../../test/fakes/ranking.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, makeTeam, makeTournament } from '../../test/make.ts'
import { makeMap, makePool } from '../../test/pools.ts'
import { makeStreamKey, makeStreamServer } from '../../test/streaming.ts'
import { expectAloud, readAloud } from './site/aloud.ts'
import { faultsOf, faultsOfPages, isSettled, pathOf } from './site/checks.ts'
import { byKeys, byTouch, type Hands } from './site/hands.ts'
import { failAll, movedBy } from './site/held.ts'
import { visitAs } from './site/readers.ts'
import { buildStretched, faultsOfStretched } from './site/stretched.ts'

/** The pages of signed-in readers in a real browser: their own ones, their team's, and availability. (W1, W9 to W20) */

let api: Harness
let ranking: FakeRanking<ScoreSaberPlayer>
let browser: RealBrowser
let own: Awaited<ReturnType<typeof makeReader>>
beforeAll(async () => {
  ranking = await startFakeScoreSaber()
  ;[api, browser] = await Promise.all([startHarness({ rankingAUrl: ranking.url }), openBrowser(), freshenPages()])
  own = await makeReader()
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await ranking?.close()
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)

const question = (guid: string, more: object) => ({
  guid,
  help: null,
  options: [],
  subject: 'team',
  private: false,
  ...more,
})

async function openCup(organiser: Caller) {
  return makeTournament(api, organiser, {
    teamSize: { min: 2, max: 6, active: 2 },
    capacity: 8,
    startsAt: inHours(72),
    registrationOpensAt: inHours(-1),
    registrationClosesAt: inHours(48),
    additionalFields: [
      question(crypto.randomUUID(), { label: 'Where do you talk?', type: 'text', required: true }),
      question(crypto.randomUUID(), { label: 'May we film you?', type: 'boolean', required: false }),
    ],
  })
}

const isOwn = (address: string) => /^\/me\b(?!\/applications\/)/.test(address)

/** Somebody with something on each of their pages, and the addresses of these. */
async function makeReader() {
  const [organiser, captain] = await Promise.all([api.user(), api.user({ name: 'reader' })])
  const cup = await openCup(organiser)
  await makeTeam(api, cup, captain)
  await grantRole(api, cup, captain, 'role:caster')
  // Over the night on which clocks are put back.
  const windows = [{ startsAt: '2027-10-30T22:00:00.000Z', endsAt: '2027-10-31T03:00:00.000Z' }]
  const sheet = await makeSheet(api, cup, organiser, { roles: ['role:caster'], windows })
  const exam = { status: 'unavailable', startsAt: '2027-10-30T22:00:00.000Z', endsAt: '2027-10-30T22:30:00.000Z' }
  expect((await respond(api, sheet, captain, [{ ...exam, otherReason: 'an exam' }])).status).toBe(200)
  await makeStreamKey(api, captain)
  const server = await makeStreamServer(api, { name: 'Stockholm', kind: 'nginx-rtmp' })
  await api.sql(
    `with made as (
       insert into stream_sessions (user_guid, server_guid, protocol, path, test)
       values ($1::uuid, $2, 'rtmp', 'live/' || $1, true) returning guid)
     insert into stream_health select guid, now(), 1280, 480, 30, 4200, 128, 0 from made`,
    [captain.guid, server.guid],
  )
  const made = await api.post('/oauth/applications', captain, {
    name: 'Score board',
    scopes: ['rest:read'],
    redirectUris: ['https://board.example/back'],
    type: 'confidential',
  })
  const places = ['teams', 'profile', 'badges', 'notifications', 'streaming', 'settings', 'sessions', 'applications']
  const addresses = [
    '/me',
    ...places.map((page) => `/me/${page}`),
    ...['/me/media', '/me/account', `/me/applications/${made.body.clientId}`],
    ...[`/t/${cup.id}/team`, `/t/${cup.id}/availability/${sheet.guid}`],
  ]
  return { reader: captain, addresses }
}

test('every page of the reader: whole, accessible, and with nothing from elsewhere', async () => {
  const { reader, addresses } = own
  await using visitor = await visit(reader)
  expect(await faultsOfPages(visitor.page, addresses)).toEqual([])
  expect(visitor.outside).toEqual([])
  // Others do not see them, and learn what to do.
  await using stranger = await browser.visitor(api)
  await stranger.page.goto('/me')
  await stranger.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
})

test('pages of somebody new are whole and accessible too, and say where one begins', async () => {
  const { addresses } = own
  await using visitor = await visit(await api.user())
  const { page } = visitor
  expect(await faultsOfPages(page, [...addresses.filter(isOwn), '/me/tournaments'])).toEqual([])
  expect(visitor.outside).toEqual([])
  // The tournaments that one runs are with the teams.
  expect(new URL(page.url()).pathname).toBe('/me/teams')
  expect(await page.getByRole('main').textContent()).toContain('No team of yours has still to play')
})

test('pages of the reader keep their headings when nothing can be read, and say so', async () => {
  const { reader, addresses } = own
  await using visitor = await visit(reader)
  const { page } = visitor
  await page.goto('/me')
  await isSettled(page)
  await failAll(page, 400)
  // What a topic brings would mend what failed.
  await page.routeWebSocket('**/*', () => {})
  // The page itself asks who the reader is.
  await page.route(/\/api\/(auth\/|users\/@me\/card)/, (route) => route.continue())
  const wrong: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    // Giving the account up asks for nothing before.
    const isAsking = address !== '/me/account'
    if (isAsking) await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await isSettled(page).catch(() => wrong.push(`${address}: never settled`))
    const headings = await page.locator('main h1').allTextContents()
    if (headings.length !== 1 || headings[0] === '') wrong.push(`${address}: headings ${JSON.stringify(headings)}`)
    wrong.push(...(await faultsOf(page)).map((fault) => `${address}: ${fault}`))
  }
  expect(wrong).toEqual([])
})

test('every page of the reader has room for words of 140 % from right to left, and none that are not in the file', async () => {
  const { reader, addresses } = own
  await using stretched = await buildStretched()
  await using visitor = await visit(reader)
  expect(await faultsOfStretched(visitor.page, stretched, addresses)).toEqual([])
})

test('forms and tables of the reader are read out in words that say what they are', async () => {
  const { reader, addresses } = own
  await using visitor = await visit(reader, { zone: 'Europe/Berlin' })
  const { page } = visitor
  const said = new Map<string, string>()
  for (const address of addresses) {
    await page.goto(address)
    await isSettled(page)
    // Fields that suggest come after the page.
    await page.waitForLoadState('networkidle')
    const words = await readAloud(page)
    if (words !== '') said.set(pathOf(address) ?? address, words)
  }
  expectAloud(said, 'read-aloud-own')
})

test.each([360, 1440])('nothing moves on pages of the reader while answers come, at %i px', async (width) => {
  const { reader, addresses } = own
  await using visitor = await visit(reader)
  await visitor.page.setViewportSize({ width, height: 800 })
  const moved: string[] = []
  for (const address of addresses)
    moved.push(...(await movedBy(visitor.page, address)).map((each) => `${address}: ${each}`))
  expect(moved).toEqual([])
})

/** Signs up a team with five invitations; two are accepted. */
async function signUp(hands: Hands, captain: Caller): Promise<void> {
  const { page } = hands
  const organiser = await api.user()
  const mates = await Promise.all([1, 2, 3, 4, 5].map((each) => api.user({ name: `mate-${each}-${captain.guid}` })))
  const cup = await openCup(organiser)
  await page.goto(`/t/${cup.id}/team`)
  await hands.write(page.getByLabel('Name of the team'), 'The Quavers')
  await hands.press(page.getByRole('button', { name: 'Make the team' }))
  const heading = page.getByRole('heading', { name: 'The Quavers' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
  const main = page.getByRole('main')
  for (const [place, mate] of mates.entries()) {
    await hands.write(page.getByRole('combobox', { name: 'Invite somebody' }), mate.username)
    await hands.choose(page.getByRole('option', { name: mate.username }))
    await hands.press(main.getByRole('button', { name: 'Invite', exact: true }))
    await expect.poll(() => page.getByText('Take back').count()).toBe(place + 1)
    await main.getByText(`${mate.username} is invited.`).waitFor()
  }
  for (const mate of mates.slice(0, 2)) {
    const { body: own } = await api.get('/users/@me/invitations', mate)
    expect((await api.post(`/invitations/${own[0].guid}/accept`, mate)).status).toBe(200)
  }
  // Who joins elsewhere appears here, and what is missing with them.
  await page.getByText('3 of 2 to 6 players').waitFor()
  await page.getByRole('heading', { name: 'One thing is missing to register' }).waitFor()
  await hands.press(main.getByRole('link', { name: 'Answer' }))
  await hands.write(page.getByLabel('Where do you talk?'), 'Our channel')
  await hands.press(main.getByRole('button', { name: 'Register' }))
  await page.getByText('Registered: your place is taken.').waitFor()
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
  const { body: team } = await api.get(`/tournaments/${cup.id}/teams`, captain)
  expect(team.teams[0]).toMatchObject({ name: 'The Quavers', status: 'registered', invited: 3 })
  expect(team.teams[0].additionalFields[0]).toMatchObject({ response: 'Our channel' })
  // Who changes answers from now on is said.
  await page.getByText('To have one changed, ask the organiser').waitFor()
  expect(await page.getByLabel('Where do you talk?').isDisabled()).toBe(true)
}

test('a team is signed up with five invitations, by keys alone at 1440 px', async () => {
  const captain = await api.user()
  await using visitor = await visit(captain)
  await visitor.page.setViewportSize({ width: 1440, height: 900 })
  await signUp(byKeys(visitor.page), captain)
})

test('a team is signed up with five invitations, by touch at 360 px', async () => {
  const captain = await api.user()
  await using visitor = await visit(captain, { phone: true })
  await signUp(byTouch(visitor.page), captain)
})

test('a map is an answer: found in the archive, and shown by its name when it is saved', async () => {
  const [organiser, captain] = await Promise.all([api.user(), api.user()])
  const field = question(crypto.randomUUID(), { label: 'Favourite map', type: 'map', required: true })
  const cup = await makeTournament(api, organiser, {
    ...{ registrationOpensAt: inHours(-1), registrationClosesAt: inHours(48), additionalFields: [field] },
  })
  const team = await makeTeam(api, cup, captain)
  const map = await makeMap(api, { name: 'Glass Harbour' })
  await makePool(api, cup.guid, { status: 'published', maps: [map.guid] })
  await using visitor = await visit(captain)
  const { page } = visitor
  await page.goto(`/t/${cup.id}/team`)
  const answer = page.getByLabel('Favourite map')
  await answer.fill('glass har')
  await page.getByRole('option', { name: 'Glass Harbour' }).click()
  await expect.poll(() => answer.inputValue()).toBe('Glass Harbour (ExpertPlus)')
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await page.getByText('Registered: your place is taken.').waitFor()
  const { body } = await api.get(`/tournaments/${cup.id}/teams/${team.id}`, captain)
  expect(body.additionalFields[0].response).toMatchObject({ hash: map.hash, difficulty: 'ExpertPlus' })
  await page.reload()
  await expect.poll(() => page.getByLabel('Favourite map').inputValue()).toBe('Glass Harbour (ExpertPlus)')
})

test('a team of a tournament that is not listed is found on its page', async () => {
  const [organiser, captain, mate] = await Promise.all([api.user(), api.user(), api.user()])
  const dates = { registrationOpensAt: inHours(-1), registrationClosesAt: inHours(48) }
  const cup = await makeTournament(api, organiser, { approved: false, status: 'approved', ...dates })
  const team = await makeTeam(api, cup, captain, { members: [mate] })
  for (const member of [captain, mate]) {
    await using visitor = await visit(member)
    await visitor.page.goto(`/t/${cup.id}/team`)
    await visitor.page.getByRole('heading', { name: team.name }).waitFor()
  }
  await using stranger = await visit(await api.user())
  await stranger.page.goto(`/t/${cup.id}/team`)
  await stranger.page.getByText('You are in no team of this tournament').waitFor()
})

test('an invitation is accepted by touch, and the team left again', async () => {
  const [organiser, captain, mate] = await Promise.all([api.user(), api.user(), api.user()])
  const cup = await openCup(organiser)
  const team = await makeTeam(api, cup, captain)
  await api.post(`/tournaments/${cup.id}/teams/${team.id}/invitations`, captain, { userIdentifier: mate.guid })
  await using visitor = await visit(mate, { phone: true })
  const { page } = visitor
  await page.goto('/me')
  await page.getByRole('button', { name: 'Accept' }).tap()
  await expect.poll(() => page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  // What it did has the focus, and leads on.
  const told = page.getByRole('status').filter({ hasText: `You play for ${team.name}` })
  await expect.poll(() => told.evaluate((element) => element === document.activeElement)).toBe(true)
  await told.getByRole('link', { name: 'See your team' }).tap()
  await page.getByText('2 of 2 to 6 players').waitFor()
  const leave = page.getByRole('button', { name: 'Leave the team' })
  await leave.tap()
  await page.keyboard.press('Escape')
  await expect.poll(() => leave.evaluate((element) => element === document.activeElement)).toBe(true)
  await leave.tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).tap()
  await page.getByText('You are in no team of this tournament').waitFor()
})

test('what is typed survives a reload; what somebody else saves is shown beside it, each to be chosen', async () => {
  const user = await api.user()
  await using visitor = await visit(user)
  const { page } = visitor
  await page.goto('/me/profile')
  await page.getByLabel('Pronouns').fill('they')
  await page.getByLabel('Grip').fill('claw')
  await page.reload()
  await expect.poll(() => page.getByLabel('Pronouns').inputValue()).toBe('they')
  await api.post('/updateUserSettings', user, { pronouns: 'she', headset: 'Index' })
  await page.reload()
  await page.getByText('Somebody else saved meanwhile: she').waitFor()
  expect(await page.getByLabel('Headset').inputValue()).toBe('Index')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  expect(await page.getByLabel('Pronouns').inputValue()).toBe('she')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await api.get('/users/@me', user)).body)
    .toMatchObject({ pronouns: 'she', grip: 'claw' })
  await page.reload()
  await expect.poll(() => page.getByLabel('Grip').inputValue()).toBe('claw')
  // It asks before it is left with something that is not saved.
  await page.getByLabel('Grip').fill('palm')
  await page.getByRole('link', { name: 'Notifications', exact: true }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Grip').inputValue()).toBe('palm')
})

test('how names are spoken is told on the own pages, and read on the public ones', async () => {
  const [organiser, captain] = await Promise.all([api.user(), api.user()])
  const cup = await openCup(organiser)
  const team = await makeTeam(api, cup, captain)
  await using visitor = await visit(captain)
  const { page } = visitor
  for (const [own, spoken, shown] of [
    ['/me/profile', 'KWAY-ver', `/u/${captain.guid}`],
    [`/t/${cup.id}/team`, 'the KWAY-verz', `/t/${cup.id}/teams/${team.id}`],
  ] as const) {
    await page.goto(own)
    const field = page.getByLabel('How the name is spoken')
    await field.fill(spoken)
    const form = page.locator('form').filter({ has: field })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    await page.goto(shown)
    await page.getByText(`spoken ${spoken}`).waitFor()
  }
})

test('an account is linked by a code, checked again, and unlinked', async () => {
  const user = await api.user()
  const { id } = ranking.players.add()
  await using visitor = await visit(user)
  const { page } = visitor
  await page.goto('/me/settings')
  const form = page.getByRole('listitem').filter({ hasText: 'Ranking platform A' })
  await form.getByLabel('Number of your profile there').fill(id)
  await form.getByRole('button', { name: 'Link' }).click()
  const code = (await page.getByText(/^downbeat-/).textContent()) ?? ''
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The code is not in the profile yet.').waitFor()
  ranking.players.change(id, { bio: `<p>${code}</p>` })
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Your account on Ranking platform A is proven.').waitFor()
  await page.getByRole('link', { name: 'What is next' }).waitFor()
  await form.getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect.poll(() => form.getByText('Not linked').count()).toBe(1)
  expect((await api.get('/users/@me/identities', user)).body).toHaveLength(1)
})

test.each([
  ['does not answer in time', { slowMs: 60_000 }],
  ['answers 500', { status: 500 }],
  ['answers nonsense', 'malformed'],
] as const)(
  'a ranking platform that %s costs nothing: what was typed and the code stay',
  async (_how, misbehaviour) => {
    const user = await api.user()
    const { id } = ranking.players.add()
    await using visitor = await visit(user, { phone: true })
    const { page } = visitor
    await page.goto('/me/settings')
    const form = page.getByRole('listitem').filter({ hasText: 'Ranking platform A' })
    const field = form.getByLabel('Number of your profile there')
    const away = async (work: () => Promise<void>) => {
      const recover = ranking.misbehave(new RegExp(id), misbehaviour)
      await work().finally(recover)
    }
    await field.fill(id)
    await away(async () => {
      await form.getByRole('button', { name: 'Link' }).click()
      await form.getByRole('alert').getByText('Ranking platform A does not answer now, so nothing is linked').waitFor()
    })
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe(id)
    await form.getByRole('button', { name: 'Link' }).click()
    const code = (await page.getByText(/^downbeat-/).textContent()) ?? ''
    ranking.players.change(id, { bio: code })
    await away(async () => {
      await page.getByRole('button', { name: 'Check now' }).click()
      await form.getByRole('alert').getByText('your code is good for seven days').waitFor()
    })
    expect(await page.getByText(/^downbeat-/).textContent()).toBe(code)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Your account on Ranking platform A is proven.').waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
  },
)

/** Everything that a page keeps: storage, databases, caches, the address, the history, and what it writes to the log. */
async function keptBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.title]
    for (const { name = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(name)
      await new Promise((done) => opening.addEventListener('success', done))
      const database = opening.result
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll()
        await new Promise((done) => all.addEventListener('success', done))
        kept.push(all.result)
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) kept.push(request.url, await (await cache.match(request))?.text())
    }
    kept.push(performance.getEntriesByType('resource').map((entry) => entry.name))
    return JSON.stringify(kept)
  })
}

test('a secret is shown once, and is kept nowhere: not in storage, caches, addresses, history or logs', async () => {
  const user = await api.user()
  await using visitor = await visit(user)
  const { page } = visitor
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('framenavigated', (frame) => said.push(frame.url()))
  const isNowhere = async (secret: string) => {
    expect(secret.length).toBeGreaterThan(20)
    expect((await keptBy(page)).includes(secret)).toBe(false)
    expect(said.filter((each) => each.includes(secret))).toEqual([])
  }
  await page.goto('/me/applications')
  await page.getByRole('main').getByLabel('Name').fill('Score board')
  await page.getByLabel('See everything that you can see').check()
  await page.getByLabel('Where users are sent back to').fill('https://board.example/back')
  await page.getByRole('button', { name: 'Register an application' }).click()
  await page.getByText('Score board is registered.').waitFor()
  await page.getByRole('button', { name: 'Show Client secret' }).click()
  const secret = (await page.getByRole('status').locator('.code').last().textContent()) ?? ''
  await isNowhere(secret)
  await page.reload()
  await page.getByRole('link', { name: 'Score board' }).click()
  await page.getByText('cannot be shown again').waitFor()
  expect(await page.content()).not.toContain(secret)
  await isNowhere(secret)
  // So is the key of a stream.
  await page.goto('/me/streaming')
  await page.getByLabel('New key for').fill('Desktop')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('button', { name: 'Show Desktop' }).click()
  const key = (await page.getByRole('main').locator('li .code').first().textContent()) ?? ''
  await isNowhere(key)
  await page.reload()
  await page.getByText('Desktop').first().waitFor()
  await isNowhere(key)
})
