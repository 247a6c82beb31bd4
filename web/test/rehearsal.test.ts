import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { type Harness, outcome, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { makeStage } from '../../test/stage.ts'
import { complaintsOf, faultsOf, widerOf } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** An organiser tries things out in a rehearsal, and gives the tournament what proved itself, in a real browser. (R1, R6) */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
})
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

test('what is tried in a rehearsal stays there, until an organiser chooses it for the tournament', async () => {
  const organiser = await api.user()
  const stage = await makeStage(api, organiser, { name: 'Spring Cup', teams: 4, status: 'approved' })
  await stage.bracket()
  const { cup, path } = stage
  const { capacity } = (await api.get(path)).body
  const caster = await roleHolder(api, cup, 'role:caster')
  await using visitor = await visitAs(browser, api, organiser)
  const { page } = visitor
  const complaints = complaintsOf(page)
  await page.goto(`/manage/${cup.id}`)
  await page.getByRole('link', { name: 'Rehearsal', exact: true }).first().click()
  await page.getByText('There is no rehearsal.').waitFor()
  await page.getByRole('button', { name: 'Make a rehearsal' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Dry run')
  await dialog.getByLabel('Name').press('Enter')
  const region = page.getByRole('region', { name: 'Dry' })
  await region.getByRole('link', { name: /^Open/ }).press('Enter')

  // Its pages say what it is, and offer what is possible in it.
  const banner = page.getByText('Rehearsal: only staff see it')
  await banner.waitFor()
  await page.getByRole('button', { name: 'Start' }).first().click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.waitFor({ state: 'detached' })
  const menu = page.getByRole('navigation', { name: 'Organise Spring Cup' })
  expect(await menu.getByRole('link', { name: 'Live console' }).count()).toBe(1)
  for (const name of ['Visibility', 'Staff', 'Package', 'Announcements']) {
    expect(await menu.getByRole('link', { name, exact: true }).count(), name).toBe(0)
  }
  await menu.getByRole('link', { name: 'Public page' }).click()
  await page.getByRole('link', { name: 'Matches', exact: true }).first().click()
  await page.getByRole('link', { name: 'Match 1' }).first().waitFor()
  await page.goBack()
  await page.goBack()
  await menu.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Summary').fill('Four channels')
  await page.getByRole('spinbutton', { name: 'Places' }).fill('24')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await banner.waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect((await api.get(path)).body).toMatchObject({ summary: null, capacity })

  await page.getByRole('link', { name: 'To the tournament' }).click()
  await region.getByRole('button', { name: /^Compare/ }).press('Enter')
  await region
    .getByRole('row', { name: /Summary/ })
    .getByText('Four channels')
    .waitFor()
  await region.getByLabel('Places').press('Space')
  await region.getByRole('button', { name: 'Show what one would change' }).press('Enter')
  await expect
    .poll(() => dialog.getByRole('listitem').allTextContents())
    .toEqual([expect.stringMatching(/^Places.*24$/)])
  await dialog.getByRole('button', { name: 'Give it to the tournament' }).press('Enter')
  await region.getByText('the tournament has it now').waitFor()
  await region.getByRole('row', { name: /Places/ }).waitFor({ state: 'detached' })
  expect((await api.get(path)).body).toMatchObject({ summary: null, capacity: 24 })

  // What changed in the tournament meanwhile is not overwritten.
  await region.getByLabel('Summary').press('Space')
  expect(outcome(await api.patch(path, organiser, { summary: 'Two channels' }))).toEqual([200, null])
  await region.getByRole('button', { name: 'Show what one would change' }).press('Enter')
  await region.getByRole('alert').getByRole('button', { name: 'Try again' }).press('Enter')
  await region
    .getByRole('row', { name: /Summary/ })
    .getByText('Two channels')
    .waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  expect(await widerOf(page)).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await using other = await visitAs(browser, api, caster, { phone: true, dark: true })
  await other.page.goto(`/manage/${cup.id}/rehearsal`)
  await other.page.getByRole('region', { name: 'Dry' }).getByRole('link', { name: /^Open/ }).waitFor()
  const acts = /^(Make|Rename|Delete|Compare|Show)/
  expect(await other.page.getByRole('button', { name: acts }).count()).toBe(0)
  expect(await faultsOf(other.page)).toEqual([])

  // The other page follows.
  await region.getByRole('button', { name: /^Delete/ }).press('Enter')
  await dialog.getByRole('textbox').fill('Dry run')
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('There is no rehearsal.').waitFor()
  await other.page.getByText('There is no rehearsal.').waitFor()
  expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
})
