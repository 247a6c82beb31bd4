import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../test/fakes/catalogue.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { makeCup, makePlayers, open, play } from '../../test/qualifiers.ts'
import { makePooling, type Pooling } from '../../test/suggestions.ts'
import { faultsOf, faultsOfPages } from './site/checks.ts'
import { byKeys } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** The evening of poolers, two browsers at once, and the qualifier for those who run it. */

let catalogue: FakeCatalogue
let api: Harness
let browser: RealBrowser
let cup: Pooling
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  ;[api, browser] = await Promise.all([startHarness({ catalogueUrl: catalogue.url }), openBrowser(), freshenPages()])
  cup = await makePooling(api, catalogue)
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)
const placeOf = (pool: string) => `/manage/${cup.tournament.id}/pools/${pool}`

/** Maps of the catalogue under names of their own, in a draft; returns its GUID. */
async function draftOf(name: string, songs: readonly string[]): Promise<string> {
  const pool = await cup.pool(name)
  for (const song of songs) await cup.add(pool, cup.map(song))
  return pool
}

const section = (page: Page, name: string) => page.getByRole('region', { name })
const lineOf = (within: Locator, name: string) => within.getByRole('listitem').filter({ hasText: name })

/** The maps of a pool as the page has them, in order. */
const shownIn = (page: Page, songs: readonly string[]) =>
  section(page, 'Maps')
    .getByRole('listitem')
    .evaluateAll((lines, names) => lines.map((line) => names.find((name) => line.textContent?.includes(name))), songs)

const storedIn = async (pool: string) =>
  (await api.get(`${cup.path}/pools/${pool}`, cup.head)).body.maps.map(
    ({ map }: { readonly map: { readonly name: string } }) => map.name,
  )

test('two poolers suggest, vote and comment, each seeing what the other does; a head takes over', async () => {
  const pool = await cup.pool('Evening')
  await using theirs = await visit(cup.pooler)
  await using heads = await visit(cup.head)
  await Promise.all([theirs.page.goto(placeOf(pool)), heads.page.goto(placeOf(pool))])
  const { key } = catalogue.maps.add({ difficulties: ['Hard', 'Expert'], metadata: { songName: 'Barcarole' } })
  const hands = byKeys(theirs.page)
  await hands.write(theirs.page.getByRole('textbox', { name: 'Key, link or hash' }), key)
  await hands.write(theirs.page.getByRole('textbox', { name: 'Why this map' }), 'A calm start.')
  await hands.press(theirs.page.getByRole('button', { name: 'Suggest', exact: true }))
  // The song has two difficulties: the page asks which.
  await theirs.page.getByText('The song has several difficulties').waitFor()
  await theirs.page.getByLabel('Difficulty').selectOption('Expert/Standard')
  await hands.press(theirs.page.getByRole('button', { name: 'Suggest', exact: true }))
  const [own, seen] = [theirs, heads].map(({ page }) => lineOf(section(page, 'Suggestions'), 'Barcarole')) as [
    Locator,
    Locator,
  ]
  await Promise.all([own.waitFor(), seen.waitFor()])
  await hands.press(own.getByRole('button', { name: 'For', exact: true }))
  await seen.getByRole('button', { name: 'For, 1 vote' }).waitFor()
  await seen.getByRole('button', { name: 'Against' }).click()
  await own.getByRole('button', { name: 'Against, 1 vote' }).waitFor()
  await seen.getByRole('button', { name: 'Against' }).click()
  await own.getByRole('button', { name: 'Against, 0 votes' }).waitFor()

  for (const { page } of [theirs, heads])
    await section(page, 'Suggestions').getByRole('link', { name: 'Barcarole' }).click()
  const [said, heard] = [theirs, heads].map(({ page }) => page.getByRole('complementary', { name: 'Barcarole' })) as [
    Locator,
    Locator,
  ]
  await hands.write(said.getByLabel('Your comment, for poolers'), 'Listen to the bridge.')
  await hands.press(said.getByRole('button', { name: 'Send' }))
  await heard.getByText('Listen to the bridge.').waitFor()
  await heard.getByText('A calm start.').waitFor()
  expect(await faultsOf(heads.page)).toEqual([])
  // What is up to heads is not offered to poolers.
  for (const name of ['Take it over', 'Reject…']) expect(await said.getByRole('button', { name }).count()).toBe(0)
  await heard.getByRole('button', { name: 'Take it over' }).click()
  await lineOf(section(theirs.page, 'Maps'), 'Barcarole').waitFor()
  await own.waitFor({ state: 'detached' })
  expect(await storedIn(pool)).toEqual(['Barcarole'])
})

test('maps are put in order by keys alone, and the other pooler sees it; a move that came too late is said', async () => {
  const songs = ['Allemande', 'Bourree', 'Courante', 'Double']
  const pool = await draftOf('Suite', songs)
  await using theirs = await visit(cup.pooler)
  await using others = await visit(cup.other)
  await Promise.all([theirs.page.goto(placeOf(pool)), others.page.goto(placeOf(pool))])
  const { page } = theirs
  const hands = byKeys(page)
  await lineOf(section(others.page, 'Maps'), 'Double').waitFor()
  await hands.press(page.getByRole('button', { name: 'Move Bourree up' }))
  await expect.poll(() => shownIn(others.page, songs)).toEqual(['Bourree', 'Allemande', 'Courante', 'Double'])
  // The focus stays with the map: it goes on by the other keys.
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => shownIn(others.page, songs)).toEqual(['Allemande', 'Courante', 'Bourree', 'Double'])
  await page.getByText('Bourree is now 3 of 4').waitFor()
  await hands.press(page.getByRole('button', { name: 'Move Double to a place' }))
  await page.keyboard.press('Tab')
  await hands.write(page.getByRole('spinbutton', { name: 'New place' }), '')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => shownIn(others.page, songs)).toEqual(['Double', 'Allemande', 'Courante', 'Bourree'])
  expect(await storedIn(pool)).toEqual(['Double', 'Allemande', 'Courante', 'Bourree'])

  // Somebody else is first, while the page has not heard of it.
  let isFirst = true
  await page.route('**/order', async (route) => {
    if (isFirst) {
      isFirst = false
      const { body } = await api.get(`${cup.path}/pools/${pool}`, cup.head)
      const maps = body.maps.map(({ guid }: { readonly guid: string }) => guid).toReversed()
      await api.put(`${cup.path}/pools/${pool}/order`, cup.head, { draftRevision: body.draftRevision, maps })
    }
    await route.continue()
  })
  await hands.press(page.getByRole('button', { name: 'Move Double down' }))
  await page.getByText('Double was not moved').waitFor()
  await expect.poll(() => shownIn(page, songs)).toEqual(['Bourree', 'Courante', 'Allemande', 'Double'])
  await hands.press(page.getByRole('button', { name: 'Move again' }))
  await expect.poll(() => storedIn(pool)).toEqual(['Bourree', 'Double', 'Courante', 'Allemande'])
})

test('a playlist is looked at before its maps are added', async () => {
  const pool = await draftOf('Imports', ['Ecossaise'])
  const added = ['Fandango', 'Gigue'].map((songName) =>
    catalogue.maps.add({ difficulties: ['Expert'], metadata: { songName } }),
  )
  const songs = [
    ...added.map(({ hash }, at) => ({ hash, songName: ['Fandango', 'Gigue'][at] })),
    { hash: 'no hash', songName: 'Humoresque' },
  ]
  await using visitor = await visit(cup.pooler)
  const { page } = visitor
  await page.goto(placeOf(pool))
  await page.getByRole('link', { name: 'Import' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'friends.bplist',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ playlistTitle: 'Friends', songs })),
  })
  await page.getByRole('button', { name: 'Look at it' }).click()
  await page.getByRole('row').filter({ hasText: 'Fandango' }).getByText('New').waitFor()
  await page.getByRole('row').filter({ hasText: 'Humoresque' }).getByText('Not usable').waitFor()
  expect(await storedIn(pool)).toEqual(['Ecossaise'])
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Add 2 maps' }).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  await page.getByRole('link', { name: 'Back to the pool' }).click()
  await lineOf(section(page, 'Maps'), 'Gigue').waitFor()
  expect(await storedIn(pool)).toEqual(['Ecossaise', 'Fandango', 'Gigue'])
})

test('a pool is planned for later, hidden until then, and shown at once when the plan changes', async () => {
  const pool = await draftOf('Later', ['Habanera'])
  await using visitor = await visit(cup.head, { zone: 'Europe/Berlin' })
  await using outsider = await visit(await roleHolder(api, cup.tournament, 'role:caster'))
  const { page } = visitor
  await page.goto(placeOf(pool))
  await page.getByText('The public sees nothing of it.').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('radio', { name: 'Later' }).check()
  await page.getByLabel('Published on').fill('2031-03-01T20:00')
  await page.getByText('Everybody sees 1 map').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Plan it' }).click()
  await page.getByText('Planned for').waitFor()
  expect((await api.get(`${cup.path}/pools/${pool}`)).status).toBe(404)
  await outsider.page.goto(placeOf(pool))
  await outsider.page.getByRole('heading', { name: 'You may not see this page' }).waitFor()
  await page.getByRole('button', { name: 'Publishing…' }).click()
  await page.getByRole('radio', { name: 'Now' }).check()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Everybody sees it.').waitFor()
  expect((await api.get(`${cup.path}/pools/${pool}`)).body.maps).toHaveLength(1)
  // A pooler corrects nothing that is published.
  await using theirs = await visit(cup.pooler)
  await theirs.page.goto(placeOf(pool))
  await lineOf(section(theirs.page, 'Maps'), 'Habanera').waitFor()
  for (const name of ['Move Habanera down', 'Archive…', 'Add to the pool now'])
    expect(await theirs.page.getByRole('button', { name }).count()).toBe(0)
})

test('attempts of a qualifier are recorded and made void by hand; seeds are seen before they are written', async () => {
  const qualifying = await makeCup(api)
  const maps = await open(api, qualifying, { method: 'sum_of_scores', hideScores: true })
  const [first] = await makePlayers(api, qualifying, 2)
  const [second] = await makePlayers(api, qualifying, 2)
  if (first === undefined || second === undefined) throw new Error('nobody plays')
  await play(api, qualifying, maps, first, [500])
  await play(api, qualifying, maps, second, [500])
  const coordinator = await roleHolder(api, qualifying.tournament, 'role:coordinator')
  await using theirs = await visit(coordinator)
  const { page } = theirs
  await page.goto(`/manage/${qualifying.tournament.id}/qualifier`)
  await page.getByRole('row').nth(2).waitFor()
  for (const name of ['Look at the seeds', 'Close it now…', 'Show the scores…'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  const name = (await api.get(`/users/${first.guid}/card`)).body.preferredName
  const hands = byKeys(page)
  await hands.press(page.getByRole('button', { name: 'Record an attempt' }))
  const recording = page.getByRole('dialog')
  await hands.write(recording.getByRole('combobox', { name: 'Player' }), name)
  await hands.choose(page.getByRole('option').filter({ hasText: name }).first())
  await hands.write(recording.getByRole('spinbutton', { name: 'Score' }), '900')
  await hands.press(recording.getByRole('button', { name: 'Record it' }))
  const row = page.getByRole('row').filter({ hasText: '900' })
  await row.filter({ hasNotText: 'better' }).getByText('Counts').waitFor()
  await page.getByRole('row').filter({ hasText: 'A better attempt counts: 900' }).waitFor()
  await hands.press(row.filter({ hasNotText: 'better' }).getByRole('button', { name: /^Void/ }))
  await hands.write(page.getByLabel('Why, for the record'), 'Another map.')
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Void' }))
  await row.getByText('Void: Another map.').waitFor()
  expect(await faultsOf(page)).toEqual([])

  await using own = await visit(qualifying.organiser)
  await own.page.goto(`/manage/${qualifying.tournament.id}/qualifier`)
  const press = (label: string, within: Page | Locator = own.page) =>
    within.getByRole('button', { name: label, exact: true }).click()
  await own.page.getByLabel('How many go on').fill('1')
  await press('Look at the seeds')
  await own.page.getByText('Nothing parts these teams').waitFor()
  await own.page.getByLabel('Why this order').fill('They played once more.')
  await press('Take this order')
  await own.page.getByText('ordered by hand').waitFor()
  const qualified = async () => (await api.get(`/tournaments/${qualifying.tournament.id}`)).body.counts.qualified
  expect(await qualified()).toBe(0)
  expect(await own.page.getByRole('button', { name: 'Write the seeds…' }).count()).toBe(0)
  await press('Close it now…')
  await press('Close it now', own.page.getByRole('dialog'))
  await press('Write the seeds…')
  await own.page.getByRole('dialog').getByText('One team qualifies.').waitFor()
  await press('Write the seeds', own.page.getByRole('dialog'))
  await own.page.getByText('Written: 1 seed').waitFor()
  expect(await qualified()).toBe(1)
  expect(await faultsOf(own.page)).toEqual([])
})

test('pages with 13 maps and 60 suggestions are whole and accessible at 360 and 1440 px, in light and in dark', async () => {
  const pool = await cup.pool('Full')
  for (let at = 0; at < 13; at++) await cup.add(pool)
  for (let at = 0; at < 60; at++) await cup.suggest(at % 2 === 0 ? cup.pooler : cup.other, { targetPool: pool })
  const { body } = await api.get(`${cup.path}/pools/${pool}`, cup.head)
  await using visitor = await visit(cup.head)
  const opened = `${placeOf(pool)}?open=${body.maps[0].guid}`
  expect(await faultsOfPages(visitor.page, [opened])).toEqual([])
  expect(visitor.outside).toEqual([])
})
