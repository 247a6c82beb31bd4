import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { type Harness, outcome, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { complaintsOf, faultsOf, isSettled } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** An organiser holds results back, and shows them, while somebody else looks at the public pages. (V4) */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
})
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const textOf = (page: Page) => page.locator('main').textContent()

test('an organiser holds results back and shows them; a stranger sees no more than was shown', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { cup, path, organiser } = made
  await using staff = await visitAs(browser, api, organiser)
  const { page } = staff
  const complaints = complaintsOf(page)
  await page.goto(`/manage/${cup.id}/settings`)
  await page.getByLabel('Results for the public').selectOption('held')
  await page.getByText('cannot be held back').waitFor()
  await page.getByText('nothing is held back').waitFor()
  await page.getByLabel('Delay of the stream').fill('600')
  await page.getByText('nothing is held back').waitFor({ state: 'detached' })
  await page.getByLabel('Delay of the stream').press('Enter')
  await page.getByText('The public is less than a minute behind.').waitFor()
  expect((await api.get(path)).body).toMatchObject({ spoilerMode: 'held', streamDelaySeconds: 600 })

  await using other = await browser.visitor(api)
  const stranger = other.page
  complaintsOf(stranger)
  await stranger.goto(`/t/${cup.id}/m/main/1`)
  await stranger.getByText('Results are shown here 10 minutes late, to everybody.').waitFor()
  expect(await stranger.getByText('pages of the staff').count()).toBe(0)
  const isWhole = async () => {
    await isSettled(stranger)
    await stranger.getByText('Winner to').waitFor()
    await stranger.getByText('Seed 4').waitFor()
  }
  await isWhole()
  const before = await textOf(stranger)
  expect(await faultsOf(stranger)).toEqual([])

  const { guid } = await made.readMatch(1)
  await page.goto(`/manage/${cup.id}/live/${guid}`)
  await page.getByText('Nothing waits to be shown.').waitFor()
  await made.win(1, 'team-1')
  const reveal = page.getByRole('button', { name: 'Show this match' })
  await reveal.waitFor()
  await page.getByText(/changes wait to be shown/).waitFor()
  expect(await faultsOf(page)).toEqual([])
  // Neither by its topics nor by reading it again.
  expect(await textOf(stranger)).toBe(before)
  await stranger.reload()
  await isWhole()
  expect(await textOf(stranger)).toBe(before)

  // A look at how much it is comes first, and giving up shows nothing.
  const dialog = page.getByRole('dialog', { name: 'Show this match' })
  await reveal.press('Enter')
  await dialog.getByText(/match(es)? looks? different then/).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect((await api.get(`${path}/horizon`, organiser)).body.waiting).toBeGreaterThan(0)
  await reveal.press('Enter')
  await dialog.getByText(/different then/).waitFor()
  await dialog.getByRole('button', { name: 'Show it now' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Nothing waits to be shown.').waitFor()
  await stranger.waitForFunction((text) => document.querySelector('main')?.textContent !== text, before)

  // Everything at once, from any page; only those who may.
  await made.win(2, 'team-2')
  const referee = await roleHolder(api, cup, 'role:referee')
  await using third = await visitAs(browser, api, referee)
  await third.page.goto(`/manage/${cup.id}`)
  await third.page.getByText(/change.* to be shown/).waitFor()
  expect(await third.page.getByRole('button', { name: 'Show everything' }).count()).toBe(0)
  await page.goto(`/manage/${cup.id}/updates`)
  await page.getByText('Viewers are 10 minutes behind.').waitFor()
  await page.getByRole('button', { name: 'Show everything' }).press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/different then/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Show it now' }).press('Enter')
  await third.page.getByText('Nothing waits to be shown.').waitFor()

  // Without a delay it says that it holds nothing back.
  expect(outcome(await api.patch(path, organiser, { streamDelaySeconds: 0 }))).toEqual([200, null])
  await page.getByText('the delay is 0: everybody sees them at once').waitFor()
  await page.getByRole('link', { name: 'Set a delay' }).click()
  await page.getByLabel('Results for the public').selectOption('open')
  await page.getByText('Nothing waits to be shown.').waitFor()
  expect(complaints).toEqual([])
})
