import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { makeTournament, roleHolder } from '../../test/make.ts'
import { faultsOf, isSettled, tabTo } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** How long an evening takes, as the page of the schedule says it. */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

test('by keys alone: the brackets of a cup, with a refusal and without an answer in between', async () => {
  const { cup } = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  await using visitor = await visitAs(browser, api, await roleHolder(api, cup, 'role:admin'))
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/schedule`)
  await isSettled(page)
  const panel = page.getByRole('region', { name: 'How long will it take?' })
  expect(await panel.getByLabel('Teams', { exact: false }).first().inputValue()).toBe('8')
  expect(await panel.getByLabel('Format').count()).toBe(0)

  await page.route('**/estimate', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      headers: { 'problem-code': 'service.busy', 'request-id': 'r1' },
      body: JSON.stringify({ error: 'Busy.', message: 'Busy.' }),
    }),
  )
  await tabTo(page, panel.getByLabel('Matches at once'))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await panel.getByRole('alert').getByText('two can at a time').waitFor()
  await page.unroute('**/estimate')
  await page.route('**/estimate', (route) => route.abort())
  await tabTo(page, panel.getByRole('button', { name: 'Estimate' }))
  await page.keyboard.press('Enter')
  await panel.getByRole('alert').getByText('two can at a time').waitFor({ state: 'detached' })
  await panel.getByRole('alert').waitFor()
  await page.unroute('**/estimate')

  await page.route('**/estimate', async (route) => {
    await panel.getByText('The evening is played through').waitFor()
    await route.continue()
  })
  await tabTo(page, panel.getByLabel('Teams that do not come'))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('0 and 7')
  await page.keyboard.press('Enter')
  // Four, two and one match of half an hour, two at once; one team alone waits for walkovers.
  await panel.getByText('Everybody comes. The evening ends within 2 h.').waitFor()
  await panel.getByText('7 teams stay away.').waitFor()
  const rows = panel.getByRole('table').getByRole('row')
  expect(await rows.count()).toBe(3)
  expect(await rows.nth(1).getByRole('cell').first().textContent()).toBe('7')
  expect(await rows.nth(2).getByRole('cell').first().textContent()).toBe('0')
  await panel.getByText('10 minutes for each game').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(visitor.outside).toEqual([])
})

test('by touch on a phone: a cup without a bracket, for a coordinator', async () => {
  const cup = await makeTournament(api, await api.user())
  await using visitor = await visitAs(browser, api, await roleHolder(api, cup, 'role:coordinator'), { phone: true })
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/schedule`)
  await isSettled(page)
  const panel = page.getByRole('region', { name: 'How long will it take?' })
  await panel.getByLabel('Teams', { exact: false }).first().fill('16')
  await panel.getByLabel('Format').selectOption('double_elimination')
  await panel.getByLabel('Length of all matches').selectOption('1')
  await panel.getByRole('button', { name: 'Estimate' }).tap()
  // 30 matches of ten minutes on one channel, or 31 with a reset.
  await panel
    .getByText('Everybody comes. Half of the evenings end within 5 h, nine of ten within 5 h 10 min.')
    .waitFor()
  await panel.getByText('2 teams stay away.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await panel.getByLabel('Teams that do not come').fill('17')
  await panel.getByRole('button', { name: 'Estimate' }).tap()
  await panel.getByRole('alert').getByText('More teams stay away than are expected').waitFor()
})
