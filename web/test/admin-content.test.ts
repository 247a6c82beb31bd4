import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeVotedEdition, step, vote } from '../../test/award-votes.ts'
import { makeBadge } from '../../test/badges.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeTournament } from '../../test/make.ts'
import { makeMedia } from '../../test/media-rows.ts'
import { makeStreamKey, validate } from '../../test/streaming.ts'
import { faultsOf, faultsOfPages, isSettled } from './site/checks.ts'
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
async function confirm(page: Page, label: string, { of = '', typed, reason }: Confirmed = {}) {
  await page.getByRole('button', { name: new RegExp(`^${label}… ?${of}`) }).click()
  const dialog = page.getByRole('dialog')
  const act = dialog.getByRole('button', { name: label, exact: true })
  if (reason !== undefined) await dialog.getByRole('textbox', { name: /Why/ }).fill(reason)
  if (typed !== undefined) {
    expect(await act.isDisabled()).toBe(true)
    await dialog.getByLabel(/^To confirm/).fill(typed)
  }
  await act.click()
}

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

test('a request for badges is rejected with a reason, another approved; a grant is made, undone, and the badge retired', async () => {
  const organiser = await api.user({ name: 'organiser' })
  const [cup, other] = await Promise.all(
    [1, 2].map((number) => makeTournament(api, organiser, { status: 'completed', name: `Cup ${number}` })),
  )
  const winner = await api.user({ name: 'winner' })
  const ask = async (of: { readonly guid: string } | undefined) => {
    const { guid: mediaGuid } = await makeMedia(api, 'badge_image', { owner: organiser })
    const badge = { name: 'Champion', description: 'Who won.', kind: 'placement', mediaGuid }
    const badges = [{ ...badge, recipients: [{ user: winner.guid, label: '1st place', place: 1 }] }]
    const { status, text } = await api.post(`/tournaments/${of?.guid}/badgeRequests`, organiser, { badges })
    expect([status, text]).toEqual([201, expect.anything()])
  }
  await ask(cup)
  await ask(other)
  await using own = await visitAs(browser, api, manager)
  const { page } = own
  await page.goto('/admin/badges')
  await confirm(page, 'Reject', { of: 'Cup 1', reason: 'The picture is of somebody else.' })
  await page.getByText('The request for 1 badge was rejected.').waitFor()
  await confirm(page, 'Approve', { of: 'Cup 2' })
  await page.getByText('1 badge was made and given.').waitFor()
  await page.getByText('Nothing waits for you.').waitFor()
  await page.getByRole('link', { name: 'Decided' }).click()
  await page.getByText('The picture is of somebody else.').waitFor()
  const { badgeRequests } = (await api.get(`/tournaments/${cup?.guid}/badgeRequests`, organiser)).body
  expect(badgeRequests).toMatchObject([{ status: 'rejected', reason: 'The picture is of somebody else.' }])

  await page.getByRole('link', { name: 'Champion' }).click()
  await page.getByRole('heading', { name: 'Champion', level: 1 }).waitFor()
  await confirm(page, 'Revoke', { of: 'winner', reason: 'A wrong list.' })
  await page.getByText('Nobody shows this badge.').waitFor()
  await page.getByLabel('Give Champion to').fill('winner')
  await page.getByRole('option', { name: /winner/ }).click()
  await press(page, 'Give')
  await page.getByText('winner has it, and is told.').waitFor()
  await page.getByRole('button', { name: /^Retire/ }).click()
  await page.getByRole('dialog').getByText('1 person keeps it, and nobody else can be given it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Retire', exact: true }).click()
  await page.getByText('It is retired: nobody else can be given it.').waitFor()
  expect(await page.getByLabel('Give Champion to').count()).toBe(0)
  await press(page, 'Put in use again')
  await page.getByLabel('Give Champion to').waitFor()
})

test('a takedown says what uses the file, and ends it everywhere for good', async () => {
  const badge = await makeBadge(api, manager, { name: 'With a picture' })
  await using own = await visitAs(browser, api, owner)
  const { page } = own
  await page.goto(`/admin/media?kind=badge_image&owner=${manager.guid}`)
  const { media } = (await api.get(`/admin/media?owner=${manager.guid}`, owner)).body
  const used = media.find(({ url }: { url: string }) => url === badge.imageUrl)
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="${used.url}"]`) })
  await row.getByRole('button', { name: /^Take down/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It disappears from the one place that uses it:').waitFor()
  await dialog.getByText('With a picture').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('textbox', { name: /Why/ }).fill('Not theirs.')
  const act = dialog.getByRole('button', { name: 'Take down', exact: true })
  expect(await act.isDisabled()).toBe(true)
  await dialog.getByLabel(/^To confirm/).fill(used.name)
  await act.click()
  await page.getByText('The place that used it shows it no longer.').waitFor()
  await expect.poll(() => row.count()).toBe(0)
  expect((await api.get(`/badges/${badge.guid}`)).body.imageUrl).toBeNull()
})

test('a media server is added, its secret is shown once and rotated, and a stream is cut', async () => {
  await using own = await visitAs(browser, api, owner)
  const { page } = own
  await page.goto('/admin/streaming')
  await press(page, 'New server')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Studio')
  await page.getByLabel('Software').selectOption('generic')
  await page.getByLabel('RTMP', { exact: true }).fill('rtmp://live.example.org/live')
  await press(page, 'Add the server')
  const notice = page.getByRole('alert').filter({ hasText: 'The secret of Studio, shown this once' })
  const secretShown = async () => {
    await notice.getByRole('button', { name: /^Show/ }).click()
    return notice.locator('.code').textContent()
  }
  const first = await secretShown()
  await press(page, 'I have kept it')
  await confirm(page, 'New secret', { of: 'Studio' })
  const second = await secretShown()
  expect(second).not.toBe(first)
  await page.getByText('The old secret counts beside the new one until').waitFor()
  // Both are valid while the old one still counts.
  const streamer = await api.user({ name: 'streamer' })
  const { key } = await makeStreamKey(api, streamer)
  const publish = { action: 'publish', key, protocol: 'rtmp', ip: '198.51.100.7' }
  for (const secret of [first, second]) {
    const { status, body } = await validate(api, { secret: secret ?? '' }, publish)
    expect([status, body.allowed]).toEqual([200, true])
  }
  await page.reload()
  expect(await notice.count()).toBe(0)
  expect(await textOf(page)).not.toContain(second)
  await confirm(page, 'Cut', { of: 'streamer', reason: 'Not a match.' })
  await page.getByRole('link', { name: 'Ended' }).click()
  await page.getByRole('listitem').filter({ hasText: 'streamer' }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
})

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
