import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeVotedEdition, step, vote } from '../../test/award-votes.ts'
import { makeBadge } from '../../test/badges.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeTournament } from '../../test/make.ts'
import { pictureIn, plain } from '../../test/media-files.ts'
import { makeMedia } from '../../test/media-rows.ts'
import { makeStreamKey, validate } from '../../test/streaming.ts'
import { toAdministration, toAdminPage } from './site/admin-menu.ts'
import { faultsOf, faultsOfPages, isSettled } from './site/checks.ts'
import { type Hands, ways } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** Pages of administration on which awards, badges, media and media servers are run, in a real browser. */

let api: Harness
let browser: RealBrowser
let manager: Caller
let owner: Caller
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  manager = await api.user({ name: 'manager', globalRoles: ['global:badges:manage'] })
  owner = await api.user({ name: 'owner', globalRoles: ['role:owner'] })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Goes to another part of an edition. */
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of this edition' }).getByRole('link', { name, exact: true }).click()
const textOf = (page: Page) => page.locator('main').textContent()

interface Confirmed {
  /** What it is done to, where several have the button. */
  readonly of?: string
  readonly typed?: string
  readonly reason?: string
}

/** Presses a button that asks first, and confirms, with the name typed where that is needed. */
async function confirmBy(
  { page, press, write }: Pick<Hands, 'page' | 'press' | 'write'>,
  label: string,
  { of = '', typed, reason }: Confirmed = {},
) {
  await press(page.getByRole('button', { name: new RegExp(`^${label}… ?${of}`) }))
  const dialog = page.getByRole('dialog')
  const act = dialog.getByRole('button', { name: label, exact: true })
  if (reason !== undefined) await write(dialog.getByRole('textbox', { name: /Why/ }), reason)
  if (typed !== undefined) {
    expect(await act.isDisabled()).toBe(true)
    await write(dialog.getByLabel(/^To confirm/), typed)
  }
  await press(act)
}

const confirm = (page: Page, label: string, confirmed?: Confirmed) =>
  confirmBy({ page, press: (at) => at.click(), write: (at, text) => at.fill(text) }, label, confirmed)

const png = async (name: string, width: number, height: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await pictureIn('png', plain(width, height)),
})

test('an edition goes by hand from nominations to results that the browser of anybody counts again', async () => {
  await using own = await visitAs(browser, api, manager)
  const { page } = own
  const title = 'Awards of the year'
  const id = `year-${process.pid}`
  await page.goto('/admin/awards')
  await press(page, 'New edition')
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Address' }).fill(id)
  await page.getByLabel('Verified account on').selectOption('none')
  await press(page, 'Make the draft')
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  // Without a category there is nothing to open.
  expect(await page.getByRole('button', { name: /^Open nominations/ }).count()).toBe(0)
  await follow(page, 'Categories')
  for (const name of ['Moment', 'Song']) {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByLabel('What is nominated').selectOption('other')
    await press(page, 'Add the category')
    await page.getByRole('listitem').filter({ hasText: name }).waitFor()
  }
  await press(page, 'Move Song up')
  const listed = page.getByRole('listitem').filter({ hasText: 'shortlist of' })
  await expect.poll(() => listed.first().textContent()).toContain('Song')
  await confirm(page, 'Remove', { of: 'Song' })
  await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(1)
  await follow(page, 'Steps')
  await confirm(page, 'Open nominations')
  await page.getByText('Nominations close by themselves').waitFor()

  const { guid, categories } = (await api.get(`/awards/${id}`, manager)).body
  const at = `/awards/${guid}/categories/${categories[0].guid}`
  const voters = await Promise.all(['ada', 'bob', 'cid', 'dot'].map((name) => api.user({ name: `${name}-voter` })))
  const nominate = (by: number, label: string, reason?: string) =>
    api.post(`${at}/nominations`, voters[by] as Caller, { label, ...(reason && { reason }) })
  await Promise.all([
    nominate(0, 'The last note', 'Nobody breathed.'),
    nominate(1, 'The last note'),
    nominate(2, 'Last note!'),
    nominate(3, 'The draw'),
  ])
  await follow(page, 'Nominations')
  const line = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name }) })
  await expect.poll(() => line('The last note').textContent()).toContain('2 nominations')
  for (const each of ['The last note', 'Last note!']) await page.getByRole('checkbox', { name: each }).check()
  await press(page, 'Make these a nominee')
  await expect.poll(() => line('Last note!').textContent()).toContain('On the list as The last note')
  expect(await textOf(page)).not.toContain('ada-voter')
  await follow(page, 'Steps')
  await confirm(page, 'Close nominations')
  await page
    .getByText('One other of 1 is not ready')
    .or(page.getByText(/One of 1 is not ready/))
    .waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Moment' }).click()
  await page.getByRole('checkbox', { name: 'The draw' }).check()
  await press(page, 'Make it a nominee')
  await expect.poll(() => line('The draw').textContent()).toContain('On the list as The draw')
  await follow(page, 'Steps')
  await confirm(page, 'Open voting')
  await page.getByText('Voting closes by itself').waitFor()

  const { nominees } = (await api.get(at, manager)).body
  const guidOf = (label: string) => nominees.find((each: { label: string }) => each.label === label).guid
  const cast = (by: number, label: string) =>
    api.put(`${at}/vote`, voters[by] as Caller, { nomineeGuid: guidOf(label) })
  await Promise.all([cast(0, 'The last note'), cast(1, 'The last note'), cast(2, 'The draw')])
  await follow(page, 'Voters')
  await page.getByText('While voting is open the number is counted once an hour').waitFor()
  await follow(page, 'Steps')
  await confirm(page, 'Close voting', { typed: title })
  await page.getByRole('button', { name: /^Publish the results/ }).waitFor()
  await follow(page, 'Voters')
  await page.getByText('3 people have voted').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await follow(page, 'Count and results')
  await press(page, 'Count again')
  await page.getByText('The ballots are those that the sealed votes give.').waitFor()
  // Ballots are lost, as from a damaged table: the wrong one wins, until it is counted again.
  await api.sql('delete from award_ballots where nominee_guid = $1', [guidOf('The last note')])
  await follow(page, 'Steps')
  await confirm(page, 'Publish the results', { typed: title })
  await page.getByText('The results are public.').waitFor()

  await using anybody = await browser.visitor(api)
  const reader = anybody.page
  await reader.goto(`/awards/${id}`)
  await press(reader, 'Count again in this browser')
  await reader.getByText('1 ballot gives this digest').waitFor()
  await follow(page, 'Count and results')
  await press(page, 'Count again')
  await page.getByText('2 results differ').waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'The last note' }).textContent()).toContain(
    'place 2, 0 votesplace 1, 2 votes',
  )
  expect(await faultsOf(page)).toEqual([])
  await confirm(page, 'Correct the results', { typed: title, reason: 'Ballots were damaged.' })
  await page.getByText('The results are corrected').first().waitFor()
  // The page of everybody follows, and its count is the same again.
  await reader.getByText('Ballots were damaged.').waitFor()
  await press(reader, 'Count again in this browser')
  await reader.getByText('3 ballots give this digest').waitFor()
  expect(await faultsOf(reader)).toEqual([])
  // What the service sends is not believed.
  await reader.route('**/ballots.csv?round=1', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).split('\r\n').toSpliced(1, 1).join('\r\n') })
  })
  await press(reader, 'Count again in this browser')
  const told = reader.getByRole('status').filter({ hasText: 'Not the same.' })
  await told.getByText('This browser comes to the digest').waitFor()
  // Without one of three ballots, one count is another or two places are.
  expect(await told.getByRole('listitem').count()).toBeGreaterThan(0)
})

test('a tie is refused, and a runoff is open for the tied alone', async () => {
  const edition = await makeVotedEdition(api, {
    rules: { tie: 'runoff' },
    categories: [{ name: 'Tied' }, { name: 'Clear' }],
  })
  const [tied, clear] = edition.categories
  const voters = await Promise.all([api.user(), api.user()])
  for (const [at, voter] of voters.entries()) {
    await vote(api, edition, tied, voter, at)
    if (clear !== undefined) await vote(api, edition, clear, voter, 0)
  }
  await step(api, edition, 'counting')
  const { title } = (await api.get(edition.path)).body
  await using own = await visitAs(browser, api, manager)
  const { page } = own
  await page.goto(`/admin/awards/${edition.id}`)
  await confirm(page, 'Publish the results', { typed: title })
  await page.getByRole('alert').filter({ hasText: 'First places are tied' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
  await confirm(page, 'Hold a runoff', { typed: title })
  await page.getByText('The runoff closes by itself').waitFor()
  await using voter = await visitAs(browser, api, voters[0] as Caller)
  await voter.page.goto(`/awards/${edition.id}`)
  await isSettled(voter.page)
  await expect.poll(() => voter.page.getByRole('radio').count()).toBe(2)
  await voter.page.getByRole('radio', { name: 'Tied: nominee 2' }).check()
  await press(voter.page, 'Vote Tied')
  await voter.page.getByText('Your vote for Tied: nominee 2 is saved.').first().waitFor()
})

/** A tournament that is over, and its organiser's request for two badges. */
async function askForBadges(organiser: Caller, name: string, winners: readonly Caller[]) {
  const cup = await makeTournament(api, organiser, { status: 'completed', name })
  const { guid: mediaGuid } = await makeMedia(api, 'badge_image', { owner: organiser })
  const of = (badge: string, label: string) => ({
    name: badge,
    description: 'Who won.',
    kind: 'placement',
    mediaGuid,
    recipients: winners.map(({ guid }, at) => ({ user: guid, label, place: at + 1 })),
  })
  const badges = [of(`${name}: winner`, '1st place'), of(`${name}: guest`, 'Guest')]
  const { status, text } = await api.post(`/tournaments/${cup.guid}/badgeRequests`, organiser, { badges })
  expect([status, text]).toEqual([201, expect.anything()])
  return cup
}

test.each(ways)(
  'a badge manager’s first day by $way: an edition with its banner, requests with a choice, a badge with its holders',
  async ({ way, handsOf, options }) => {
    const organiser = await api.user({ name: `organiser-${way}` })
    const [winner, other] = [await api.user({ name: `winner-${way}` }), await api.user({ name: `other-${way}` })]
    const [first, second] = [`First by ${way}`, `Second by ${way}`]
    const [refused, approved] = [
      await askForBadges(organiser, first, [winner]),
      await askForBadges(organiser, second, [winner, other]),
    ]
    await using own = await visitAs(browser, api, manager, options)
    const { page } = own
    const hands = handsOf(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto('/about')
    await toAdministration(hands, manager)
    await page.waitForURL('**/admin/awards')

    const id = `day-${way}-${process.pid}`
    await hands.press(button('New edition'))
    await hands.write(page.getByRole('textbox', { name: 'Title' }), `Awards by ${way}`)
    await page.getByRole('textbox', { name: 'Address' }).fill(id)
    await hands.attach('Upload a banner', await png('banner.png', 1024, 256))
    await page.getByRole('img', { name: 'The banner as it will be' }).waitFor()
    await page.getByLabel('Verified before').fill('2026-01-31T18:00')
    expect(await faultsOf(page)).toEqual([])
    await hands.press(button('Make the draft'))
    await page.getByRole('heading', { name: `Awards by ${way}`, level: 1 }).waitFor()
    const edition = async () => (await api.get(`/awards/${id}`, manager)).body
    const linkBefore = new Date('2026-01-31T18:00').toISOString()
    const { bannerUrl: banner, rules } = await edition()
    expect([banner, rules]).toEqual([expect.stringContaining('/media/'), expect.objectContaining({ linkBefore })])
    const inPart = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of this edition' }).getByRole('link', { name, exact: true })
    await hands.press(inPart('Categories'))
    await hands.write(page.getByRole('textbox', { name: 'Name' }), 'Moment')
    await hands.press(button('Add the category'))
    await page.getByRole('listitem').filter({ hasText: 'Moment' }).waitFor()
    await hands.press(inPart('Steps'))
    await confirmBy(hands, 'Open nominations')
    await page.getByText('Nominations close by themselves').waitFor()
    await hands.press(page.getByRole('main').getByRole('link', { name: 'Public page' }))
    await page.getByRole('term').filter({ hasText: 'Ranking platform' }).waitFor()
    expect(await page.locator('main img').first().getAttribute('src')).toBe(banner)
    expect(await textOf(page)).toContain('A link to either platform, verified before Sat 31 Jan')
    expect(await faultsOf(page)).toEqual([])
    // Its address is shared with a picture that there is.
    const card = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect((await fetch(card ?? '')).status).toBe(200)
    await page.goto(`/admin/awards/${id}?part=settings`)
    // Save is pressed before the file has arrived.
    const held = Promise.withResolvers<void>()
    await page.route('**/api/media?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await hands.attach('Another banner', await png('other.png', 1024, 200))
    await hands.press(button('Save'))
    await page.getByText('Waiting for the file').waitFor()
    held.resolve()
    await expect.poll(async () => (await edition()).bannerUrl).not.toBe(banner)
    await hands.press(button('Remove the banner'))
    await hands.press(button('Save'))
    await expect.poll(async () => (await edition()).bannerUrl).toBeNull()
    expect((await edition()).rules.linkBefore).toBe(linkBefore)

    await toAdminPage(hands, 'Badges')
    await confirmBy(hands, 'Reject', { of: first, reason: 'The picture is of somebody else.' })
    await page
      .getByText('The request for 1 badge was rejected.')
      .or(page.getByText(/request for 2 badges/))
      .waitFor()
    const { badgeRequests } = (await api.get(`/tournaments/${refused.guid}/badgeRequests`, organiser)).body
    expect(badgeRequests).toMatchObject([{ status: 'rejected', reason: 'The picture is of somebody else.' }])
    // One badge of two is made, with another name, and one of two people gets it.
    await hands.press(page.getByRole('button', { name: `Approve… ${second}` }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 badges are made and given to 2 people').waitFor()
    await hands.untick(dialog.getByRole('checkbox', { name: `Make ${second}: guest` }))
    const asked = dialog.getByRole('group', { name: `${second}: winner` })
    await hands.press(asked.locator('summary').filter({ hasText: '2 of 2 people' }))
    await hands.untick(asked.getByRole('checkbox', { name: other.username }))
    await hands.press(asked.locator('summary').filter({ hasText: 'Its name' }))
    await asked.getByLabel('Name').fill('')
    await dialog.getByText('A badge that is made has no name.').waitFor()
    await dialog.getByLabel('Name').fill(`Champion by ${way}`)
    await dialog.getByText('1 badge is made and given to 1 person').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await hands.press(dialog.getByRole('button', { name: 'Approve', exact: true }))
    await page.getByText('1 badge was made and given.').waitFor()
    await page.getByRole('button', { name: `Approve… ${second}` }).waitFor({ state: 'detached' })
    const { badges } = (await api.get(`/badges?tournament=${approved.guid}`)).body
    expect(badges).toMatchObject([{ name: `Champion by ${way}`, holders: 1 }])
    await hands.press(page.getByRole('link', { name: 'Decided' }))
    await page.getByText('The picture is of somebody else.').first().waitFor()

    await hands.press(page.getByRole('link', { name: `Champion by ${way}` }))
    await page.getByRole('heading', { name: `Champion by ${way}`, level: 1 }).waitFor()
    await confirmBy(hands, 'Revoke', { of: winner.username, reason: 'A wrong list.' })
    await page.getByText('Nobody shows this badge.').waitFor()
    await hands.write(page.getByLabel(`Give Champion by ${way} to`), winner.username)
    await hands.choose(page.getByRole('option', { name: winner.username }))
    await hands.press(button('Give'))
    await page.getByText(`${winner.username} has it, and is told.`).waitFor()
    await hands.press(page.getByRole('button', { name: /^Retire/ }))
    await dialog.getByText('1 person keeps it, and nobody else can be given it.').waitFor()
    await hands.press(dialog.getByRole('button', { name: 'Retire', exact: true }))
    await page.getByText('It is retired: nobody else can be given it.').waitFor()
    expect(await page.getByLabel(`Give Champion by ${way} to`).count()).toBe(0)
    await hands.press(button('Put in use again'))
    await page.getByLabel(`Give Champion by ${way} to`).waitFor()
  },
)

test.each(ways)(
  'a developer’s first day by $way: a takedown that says what uses the file, a media server with its secrets, a stream',
  async ({ way, handsOf, options }) => {
    const developer = await api.user({ name: `developer-${way}`, globalRoles: ['role:dev'] })
    const badge = await makeBadge(api, manager, { name: `Pictured by ${way}` })
    await using own = await visitAs(browser, api, developer, options)
    const { page } = own
    const hands = handsOf(page)
    const dialog = page.getByRole('dialog')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto('/about')
    await toAdministration(hands, developer)
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()

    await toAdminPage(hands, 'Media')
    const { media } = (await api.get(`/admin/media?owner=${manager.guid}`, owner)).body
    const used = media.find(({ url }: { url: string }) => url === badge.imageUrl)
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="${used.url}"]`) })
    const take = row.getByRole('button', { name: /^Take down/ })
    await take.waitFor()
    // It is in sight without scrolling the table.
    await take.scrollIntoViewIfNeeded()
    expect(
      await page
        .getByRole('region', { name: 'Files with their owners and uses' })
        .evaluate((table) => table.scrollLeft),
    ).toBe(0)
    await hands.press(take)
    await dialog.getByText('It disappears from the one place that uses it:').waitFor()
    await dialog.getByText(`Pictured by ${way}`).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await hands.write(dialog.getByRole('textbox', { name: /Why/ }), 'Not theirs.')
    const act = dialog.getByRole('button', { name: 'Take down', exact: true })
    expect(await act.isDisabled()).toBe(true)
    await hands.write(dialog.getByLabel(/^To confirm/), used.name)
    await hands.press(act)
    await page.getByText('The place that used it shows it no longer.').waitFor()
    await expect.poll(() => row.count()).toBe(0)
    expect((await api.get(`/badges/${badge.guid}`)).body.imageUrl).toBeNull()

    const [server, streaming] = [`Studio ${way}`, `streamer-${way}`]
    await toAdminPage(hands, 'Streaming')
    await hands.press(button('New server'))
    await hands.write(page.getByRole('textbox', { name: /^Name/ }), server)
    await page.getByLabel('Software').selectOption('generic')
    await hands.write(page.getByLabel('RTMP', { exact: true }), 'rtmp://live.example.org/live')
    await hands.press(button('Add the server'))
    const notice = page.getByRole('alert').filter({ hasText: `The secret of ${server}, shown this once` })
    const secretShown = async () => {
      await hands.press(notice.getByRole('button', { name: /^Show/ }))
      return notice.locator('.code').textContent()
    }
    const first = await secretShown()
    await hands.press(button('I have kept it'))
    await confirmBy(hands, 'New secret', { of: server })
    const second = await secretShown()
    expect(second).not.toBe(first)
    await page.getByText('The old secret counts beside the new one until').first().waitFor()
    // Both are valid while the old one still counts.
    const { key } = await makeStreamKey(api, await api.user({ name: streaming }))
    const publish = { action: 'publish', key, protocol: 'rtmp', ip: '198.51.100.7' }
    for (const secret of [first, second]) {
      const { status, body } = await validate(api, { secret: secret ?? '' }, publish)
      expect([status, body.allowed]).toEqual([200, true])
    }
    await page.reload()
    expect(await notice.count()).toBe(0)
    expect(await textOf(page)).not.toContain(second)
    await confirmBy(hands, 'Cut', { of: streaming, reason: 'Not a match.' })
    await dialog.waitFor({ state: 'detached' })
    await hands.press(page.getByRole('link', { name: 'Ended' }))
    await page.getByRole('listitem').filter({ hasText: streaming }).first().waitFor()
    expect(await faultsOf(page)).toEqual([])
  },
)

test('every page is whole and accessible at 360 and 1440 px, in light and in dark', async () => {
  const badge = await makeBadge(api, manager)
  const edition = await makeVotedEdition(api, { status: 'nominating', categories: [{ nominees: 3 }] })
  const parts = ['', '?part=categories', '?part=nominations', '?part=settings'].map(
    (part) => `/admin/awards/${edition.id}${part}`,
  )
  const others = ['/admin/awards', '/admin/badges', `/admin/badges/${badge.guid}`, '/admin/media', '/admin/streaming']
  await using own = await visitAs(browser, api, owner)
  expect(await faultsOfPages(own.page, [...others, ...parts])).toEqual([])
})
