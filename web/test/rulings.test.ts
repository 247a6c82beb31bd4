import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { MatchPlay } from '../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { faultsOf } from './site/checks.ts'
import { byKeys } from './site/hands.ts'
import { visitAs } from './site/readers.ts'
import { Referee } from './site/referee.ts'
import { patient } from './site/seat.ts'

/** What a referee decides around a match: by what it is played, penalties that are left, games that are not needed. (W19, W20) */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 8, maps: 7, bestOf: 5 })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

/** Makes a flow for two seats, and returns its GUID. */
async function makeFlow(name: string, steps: readonly object[], rules: object = {}): Promise<string> {
  const body = {
    name,
    seats: 2,
    bestOf: 5,
    rules,
    steps: [{ repeat: 'until_decided', steps: [...steps, { action: 'play' }] }],
  }
  const { status, body: flow, text } = await api.post(`${made.path}/flows`, made.organiser, body)
  expect(status, text).toBe(201)
  return flow.guid
}

async function open(number: number, user: Caller = made.referee): Promise<RealVisitor> {
  const { body } = await api.get(made.match(number), null)
  const visitor = await visitAs(browser, api, user)
  await visitor.page.goto(`/manage/${made.cup.id}/live/${body.guid}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

test('a flow is chosen for a match in the place of the planned one', async () => {
  const planned = await makeFlow('Higher picks', [{ action: 'pick', actor: 'higherSeed' }])
  await makeFlow('Lower picks', [{ action: 'pick', actor: 'lowerSeed' }])
  const plans = [
    await api.put(`${made.path}/flow-plan`, made.organiser, { revision: 0, default: planned }),
    await api.put(`${made.path}/pool-plan`, made.organiser, { revision: 0, default: made.pool.guid }),
  ]
  expect(plans.map(({ status }) => status)).toEqual([200, 200])
  await using visitor = await open(1)
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Other flow or pool…' }).waitFor()
  await page.keyboard.press('f')
  const flow = dialog.getByRole('combobox', { name: 'Flow' })
  await flow.waitFor()
  expect(await flow.locator('option').first().textContent()).toBe('As planned: Higher picks')
  expect(await dialog.getByRole('combobox', { name: 'Map pool' }).locator('option').allTextContents()).toEqual([
    'As planned: Finals',
    'Finals',
  ])
  expect(await faultsOf(page)).toEqual([])
  await flow.selectOption('Lower picks')
  await dialog.getByRole('button', { name: 'Start' }).press('Enter')
  await new Referee(byKeys(page)).says(/to pick a map/)
  const { body } = await api.get(`${made.match(1)}/flow`, made.referee)
  expect(body.flow.name).toBe('Lower picks')
})

test('a proposed penalty that is left stays left', async () => {
  const flowGuid = await makeFlow('Strict', [{ action: 'random' }], { late: [{ afterMinutes: 1, type: 'warning' }] })
  const scheduledAt = new Date(Date.now() - 10 * 60_000).toISOString()
  expect((await api.patch(made.match(2), made.organiser, { scheduledAt })).status).toBe(200)
  const begun = await api.post(`${made.match(2)}/flow`, made.referee, { flowGuid, poolGuid: made.pool.guid })
  expect(begun.status, begun.text).toBe(201)
  await using visitor = await open(2)
  const { page } = visitor
  const proposals = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')
  await expect.poll(() => proposals.count(), patient).toBe(2)
  await page.getByRole('button', { name: 'Leave it…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The lift was stuck')
  await dialog.getByRole('button', { name: 'Leave it' }).click()
  await expect.poll(() => proposals.count(), patient).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Leave it…' }).waitFor()
  expect(await proposals.count()).toBe(1)
})

test('a correction by which later games are not needed offers to take them back, with a preview', async () => {
  const play = new MatchPlay(api, made, 3)
  const flowGuid = await makeFlow('Drawn', [{ action: 'random' }], { replays: { rule: 'none' } })
  await play.begin({ flowGuid })
  for (const seat of [1, 1, 2, 2, 1]) await play.win(seat)
  await using visitor = await open(3)
  const { page } = visitor
  const referee = new Referee(byKeys(page))
  await referee.scoreline('3 : 2')
  await page.getByRole('button', { name: 'Show game 3' }).click()
  await page
    .getByRole('group')
    .filter({ has: page.getByText(play.state.seats[0].name, { exact: true }) })
    .getByRole('button', { name: /^Correct…/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton', { name: 'Score' }).fill('950000')
  await dialog.getByRole('textbox').fill('Typed wrongly')
  await dialog.getByRole('button', { name: 'Show what would happen' }).click()
  await dialog.getByText('an earlier game decides the match').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'Take the games after it back' }).check()
  await dialog.getByRole('button', { name: 'Show what would happen' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).waitFor()
  expect((await api.get(made.match(3), null)).body.games).toHaveLength(5)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await referee.scoreline('3 : 0')
  expect((await api.get(made.match(3), null)).body.games).toHaveLength(3)
})

test('those who talk about a match read how its names are spoken', async () => {
  const { body } = await api.get(made.match(1), null)
  const [first, second] = body.sides.map(({ team }: { readonly team: { readonly guid: string } }) => team.guid)
  const captain = made.captains[made.teams.findIndex(({ guid }) => guid === second)] as Caller
  const pronunciation = 'the KWAY-verz'
  const told = await api.patch(`${made.path}/teams/${first}`, made.organiser, { pronunciation })
  expect(told.status, told.text).toBe(200)
  expect((await api.post('/updateUserSettings', captain, { pronunciation: 'KWAY-ver' })).status).toBe(200)
  await using visitor = await visitAs(browser, api, made.referee)
  await visitor.page.goto(`/manage/${made.cup.id}/live/${body.guid}/caster`)
  const who = visitor.page.getByRole('region', { name: 'Line-ups' })
  await expect
    .poll(() => who.getByText(/^spoken /).allTextContents(), patient)
    .toEqual(['spoken the KWAY-verz', 'spoken KWAY-ver'])
  expect(await faultsOf(visitor.page)).toEqual([])
})
