import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { type Harness, outcome, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { takePackage } from '../../test/package-imports.ts'
import { type Match, makeStage } from '../../test/stage.ts'
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
  const evening = '2027-05-01T18:00:00.000Z'
  await api.sql('update matches set scheduled_at = $2 where tournament_guid = $1', [cup.guid, evening])
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
  await dialog.getByLabel('Its clock begins at').fill('2027-05-01T17:30')
  await dialog.getByLabel('Name').press('Enter')
  const region = page.getByRole('region', { name: 'Dry' })
  await region.getByText('Its clock is paused at').waitFor()
  const [made] = (await api.get(`${path}/rehearsals`, organiser)).body.rehearsals
  expect(made.clock).toMatchObject({ now: '2027-05-01T17:30:00.000Z', paused: true })
  await region.getByRole('link', { name: /^Open its pages/ }).press('Enter')

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
  // What pages say of the time is by its clock. (R2)
  await menu.getByRole('link', { name: 'Live console' }).click()
  await page.getByText(/17:30/).first().waitFor()
  await page.goBack()
  await menu.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Summary').fill('Four channels')
  await page.getByRole('spinbutton', { name: 'Places' }).fill('24')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await banner.waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect((await api.get(path)).body).toMatchObject({ summary: null, capacity })

  // Its clock is moved by keys, and others see it.
  await page.getByRole('link', { name: 'Its clock, and where it runs late' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Dry run' }).waitFor()
  await page.getByText('Nothing has been played yet.').waitFor()
  await using other = await visitAs(browser, api, caster, { phone: true, dark: true })
  await other.page.goto(`/manage/${cup.id}/rehearsal/${made.guid}`)
  await other.page.getByText('Paused').waitFor()
  const clockOf = async () => (await api.get(`${path}/rehearsals/${made.guid}/clock`, organiser)).body.clock
  await page.getByRole('button', { name: '+1 h' }).press('Enter')
  await page.getByText(/^(Nothing was|.* were|One thing was) due/).waitFor()
  expect(await clockOf()).toMatchObject({ now: '2027-05-01T18:30:00.000Z', paused: true })
  await other.page.getByText('18:30:00').waitFor()
  await page.getByRole('button', { name: '600 ×' }).press('Enter')
  await page.getByRole('button', { name: '600 ×', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Let it run' }).press('Enter')
  await other.page.getByText('Runs 600 times as fast').waitFor()
  await page.getByRole('button', { name: 'Pause' }).press('Enter')
  await other.page.getByText('Paused').waitFor()
  const { now: stopped } = await clockOf()
  expect(stopped > '2027-05-01T18:30').toBe(true)
  await page.getByLabel('Move it on to').fill('2027-05-01T18:00')
  await page.getByRole('button', { name: 'Move on' }).press('Enter')
  await page.getByRole('alert').getByText('does not go back').waitFor()
  const acts = /^(Make|Rename|Delete|Pause|Let|Move|Plan|Choose|Show)/
  expect(await other.page.getByRole('button', { name: acts }).count()).toBe(0)
  expect(await faultsOf(other.page)).toEqual([])

  // A match that begins after its time makes the evening late; its time becomes the plan of the rehearsal.
  await page.getByLabel('Move it on to').fill('2027-05-02T18:50')
  await page.getByRole('button', { name: 'Move on' }).press('Enter')
  await expect.poll(async () => (await clockOf()).now).toBe('2027-05-02T18:50:00.000Z')
  // Of two reports of one map at the same moment one is taken, and the other one shows what its referee reads.
  const reports = page.getByRole('region', { name: 'Two referees report at once' })
  await reports.getByRole('button', { name: 'Send both reports' }).press('Enter')
  await reports.getByText('This map has another result already', { exact: false }).waitFor()
  expect(await reports.getByText('It is taken.').count()).toBe(1)
  const told = (await api.get(`/tournaments/${made.guid}/matches`, organiser)).body.matches
  expect(told.map((match: Match) => match.games.length).toSorted()).toEqual([0, 0, 1])
  await page.getByRole('button', { name: 'The assistant dies' }).press('Enter')
  expect(await page.getByLabel('Until').inputValue()).toBe('2027-05-02T19:20')
  await page.getByRole('button', { name: 'Teams come late' }).press('Enter')
  await page.getByRole('button', { name: 'Play', exact: true }).press('Enter')
  await page.getByText('3 matches were played.').waitFor()
  await page.getByText(/^The evening runs late from semi-finals on; the most in/).waitFor()
  await page.getByRole('row', { name: /Semi-finals 24 h .*2\/2/ }).waitFor()
  await page.getByRole('button', { name: 'Estimate', exact: true }).press('Enter')
  await page.getByText('of 500 evenings', { exact: false }).waitFor()
  for (const name of ['Matches', 'Channels']) await page.getByRole('button', { name, exact: true }).press('Enter')
  await page.getByRole('row', { name: /No channel 2\d h .*3\/3/ }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Plan 3 matches as played' }).press('Enter')
  await dialog.getByRole('button', { name: 'Plan as played' }).press('Enter')
  await page.getByText('All matches that were played are planned').waitFor()
  await page.getByText('The evening keeps its times.').waitFor()

  // Receivers fail on request, and what they would be sent is a text.
  const hostile = '<img src=x onerror=alert(1)>'
  await api.sql(
    `insert into outbox_messages (rehearsal_guid, kind, at, "to", subject, body, status, attempts)
      values ($1, 'chat', '2028-01-01', 'main', $2, $2, 'sent', '[]')`,
    [made.guid, hostile],
  )
  const navigation = page.getByRole('navigation', { name: 'Parts of the rehearsal' })
  await navigation.getByRole('link', { name: 'What would be sent' }).press('Enter')
  await page.getByRole('button', { name: 'Half of the pushes fail' }).press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  const { faults } = (await api.get(`${path}/rehearsals/${made.guid}`, organiser)).body
  expect(faults).toEqual({ push: expect.objectContaining({ answer: 'fail', status: 503, share: 0.5 }) })
  await page.getByText('As it would be sent', { exact: false }).last().click()
  await page.getByText(hostile).last().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await page.getByRole('link', { name: 'Look-ups', exact: true }).press('Enter')
  await page.getByText('Nothing of this kind would have been sent.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await navigation.getByRole('link', { name: 'Compare with the tournament' }).press('Enter')
  const compared = page.getByRole('region', { name: 'What is different in the rehearsal' })
  await compared.getByRole('button', { name: 'Choose all 3 times' }).press('Enter')
  await compared
    .getByRole('row', { name: /Summary/ })
    .getByText('Four channels')
    .waitFor()
  await compared.getByLabel('Places').press('Space')
  await compared.getByRole('button', { name: 'Show what 4 would change' }).press('Enter')
  await expect
    .poll(() => dialog.getByRole('listitem').allTextContents())
    .toEqual([
      expect.stringMatching(/^Places.*24$/),
      ...[1, 2, 3].map((number) => expect.stringMatching(`^Time of match ${number}`)),
    ])
  await dialog.getByRole('button', { name: 'Give it to the tournament' }).press('Enter')
  await page.getByText('the tournament has it now').waitFor()
  await compared.getByRole('row', { name: /Places/ }).waitFor({ state: 'detached' })
  expect((await api.get(path)).body).toMatchObject({ summary: null, capacity: 24 })
  const timesOf = async (address: string) =>
    (await api.get(`${address}/matches`, organiser)).body.matches.map((match: Match) => match.scheduledAt)
  expect(await timesOf(path)).toEqual(await timesOf(`/tournaments/${made.guid}`))

  // What changed in the tournament meanwhile is not overwritten.
  await compared.getByLabel('Summary').press('Space')
  expect(outcome(await api.patch(path, organiser, { summary: 'Two channels' }))).toEqual([200, null])
  await compared.getByRole('button', { name: 'Show what one would change' }).press('Enter')
  await compared.getByRole('alert').getByRole('button', { name: 'Try again' }).press('Enter')
  await compared
    .getByRole('row', { name: /Summary/ })
    .getByText('Two channels')
    .waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  expect(await widerOf(page)).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'All rehearsals' }).press('Enter')
  await other.page.goto(`/manage/${cup.id}/rehearsal`)
  await other.page.getByRole('region', { name: 'Dry' }).getByRole('link', { name: /^Open/ }).waitFor()
  expect(await other.page.getByRole('button', { name: acts }).count()).toBe(0)
  expect(await faultsOf(other.page)).toEqual([])

  // Another one is made of a package, and a draft is started on its own page.
  await page.getByRole('button', { name: 'Make a rehearsal' }).press('Enter')
  await dialog.getByLabel('Name').fill('Second')
  const file = dialog.getByLabel('A package to copy in its place')
  await file.setInputFiles({ name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('no package') })
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByRole('alert').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await file.setInputFiles({
    name: 'cup.zip',
    mimeType: 'application/zip',
    buffer: await takePackage(api, cup.guid, organiser),
  })
  await dialog.getByLabel('Name').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const another = page.getByRole('region', { name: 'Second' })
  await another.getByText('Made of a package by').waitFor()
  await another.getByRole('link', { name: /^Rehearse/ }).press('Enter')
  await page.waitForURL(/rehearsal\/[^/]+$/)
  const second = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('button', { name: 'Start it' }).press('Enter')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await api.get(`/tournaments/${second}`, organiser)).body.status).toBe('ongoing')
  await page.getByRole('link', { name: 'All rehearsals' }).press('Enter')
  await page.getByRole('region', { name: 'Second' }).waitFor()
  await api.delete(`${path}/rehearsals/${second}`, organiser)

  // The other page follows.
  await region.getByRole('button', { name: /^Delete/ }).press('Enter')
  await dialog.getByRole('textbox').fill('Dry run')
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('There is no rehearsal.').waitFor()
  await other.page.getByText('There is no rehearsal.').waitFor()
  expect(complaints.filter((each) => !/status of 40[09]/.test(each))).toEqual([])
})
