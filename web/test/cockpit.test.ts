import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { byKeys, byTouch } from './site/hands.ts'
import { visitAs } from './site/readers.ts'
import { Referee } from './site/referee.ts'
import { patient } from './site/seat.ts'

/** The cockpit of a match, in browsers of its referees. (W9, W10, W15, W20) */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
/** The names of the maps of the pool, in order. */
let songs: readonly string[]
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 8, maps: 7, bestOf: 5 })
  await plan()
  const { body } = await api.get(`${made.path}/pools/${made.pool.guid}`, made.organiser)
  songs = body.maps.map(({ map }: { readonly map: { readonly name: string } }) => map.name)
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

/** A ban each, then the lower seed picks; replays can be claimed. */
async function plan(): Promise<void> {
  const { status, body, text } = await api.post(`${made.path}/flows`, made.organiser, {
    ...{ name: 'Ban and pick', seats: 2, bestOf: 5 },
    steps: [
      { action: 'ban', actor: 'higherSeed', seconds: 600 },
      { action: 'ban', actor: 'lowerSeed', seconds: 600 },
      { repeat: 'until_decided', steps: [{ action: 'pick', actor: 'lowerSeed', seconds: 600 }, { action: 'play' }] },
    ],
    rules: {
      map: { by: 'score', team: 'sum', players: 1 },
      replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 600 },
    },
  })
  expect(status, text).toBe(201)
  const flows = await api.put(`${made.path}/flow-plan`, made.organiser, { revision: 0, default: body.guid })
  expect(flows.status, flows.text).toBe(200)
  const pools = { revision: 0, default: made.pool.guid }
  const planned = await api.put(`${made.path}/pool-plan`, made.organiser, pools)
  expect(planned.status, planned.text).toBe(200)
}

async function open(number: number, user: Caller = made.referee, options?: VisitorOptions): Promise<RealVisitor> {
  const { body } = await api.get(made.match(number), null)
  const visitor = await visitAs(browser, api, user, options)
  await visitor.page.goto(`/manage/${made.cup.id}/live/${body.guid}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

/** Bans, five games with a replay claim, a correction of the result with preview, and its undo. */
async function play(referee: Referee, number: number): Promise<void> {
  const { page, hands } = referee
  await referee.press('Start by Ban and pick')
  await referee.says(/to ban a map/)
  await referee.press(`Ban ${songs[0]}`)
  await referee.says(/to ban a map/)
  await referee.press(`Ban ${songs[1]}`)
  await referee.says(/to pick a map/)
  // A wrong choice is taken back.
  await referee.press(`Pick ${songs[3]}`)
  await referee.says('Play the map')
  await referee.press('Undo')
  await referee.says(/to pick a map/)
  await referee.press(`Pick ${songs[2]}`)

  // The second side loses the map, claims its replay, and wins it.
  await referee.scores('900000', '800000')
  await hands.pick(page.getByRole('radio', { name: /^Claim a replay/ }))
  await referee.press(/^Claim a replay/)
  await referee.says('Play the map again')
  await referee.scores('850000', '950000')
  await referee.scoreline('0 : 1')
  // It has no replay left, so that a map that it loses is final at once.
  const games = [
    [4, '910000', '820000', '1 : 1'],
    [5, '720000', '820000', '1 : 2'],
    [6, '900000', '830000', '2 : 2'],
    [7, '999000', '100000', '3 : 2'],
  ] as const
  for (const [map, first, second, line] of games) {
    await referee.press(`Pick ${songs[map - 1]}`)
    await referee.scores(first, second)
    if (line === '1 : 2') await referee.accept()
    await referee.scoreline(line)
  }
  await referee.says('Finished')

  const winnerOf = async () => (await api.get(made.match(number), null)).body.sides.findIndex(isWinner)
  expect(await winnerOf()).toBe(0)
  await referee.press('Correct the result…')
  const dialog = page.getByRole('dialog')
  for (const [at, text] of ['2', '3'].entries()) {
    const field = dialog.getByRole('spinbutton').nth(at)
    await field.fill('')
    await hands.write(field, text)
  }
  await hands.write(dialog.getByRole('textbox'), 'The last map was counted for the wrong side')
  await hands.press(dialog.getByRole('button', { name: 'Show what would happen' }))
  await dialog.getByRole('listitem').first().waitFor()
  expect(await winnerOf()).toBe(0)
  await hands.press(dialog.getByRole('button', { name: 'Apply' }))
  await referee.scoreline('2 : 3')
  expect(await winnerOf()).toBe(1)
  const corrections = page.getByRole('region', { name: 'Corrections' })
  await corrections.getByText('The last map was counted for the wrong side').waitFor()
  await hands.press(corrections.getByRole('button', { name: 'Undo…' }))
  await hands.press(dialog.getByRole('button', { name: 'Show what would happen' }))
  await dialog.getByRole('listitem').first().waitFor()
  expect(await winnerOf()).toBe(1)
  await hands.press(dialog.getByRole('button', { name: 'Apply' }))
  await referee.scoreline('3 : 2')
  expect(await winnerOf()).toBe(0)
}

const isWinner = ({ result }: { readonly result: string | null }) => result === 'win'

test('a match is played by keys alone', async () => {
  await using visitor = await open(1)
  const complaints = complaintsOf(visitor.page)
  await play(new Referee(byKeys(visitor.page)), 1)
  expect(complaints).toEqual([])
}, 240_000)

test('a match is played by touch', async () => {
  await using visitor = await open(2, made.referee, { phone: true })
  await play(new Referee(byTouch(visitor.page)), 2)
  // What is under the bar at the top is no fault.
  await visitor.page.evaluate(() => scrollTo(0, 0))
  expect(await faultsOf(visitor.page)).toEqual([])
}, 240_000)

test('of two referees one is faster; the other reads what happened, and keeps what they had typed', async () => {
  const other = await roleHolder(api, made.cup, 'role:referee')
  await using first = await open(3)
  await using second = await open(3, other)
  const [one, two] = [new Referee(byKeys(first.page)), new Referee(byKeys(second.page))]
  await expect.poll(() => second.page.locator('header').getByText('Also open:').count(), patient).toBe(1)
  await one.press('Start by Ban and pick')
  for (const each of [one, two]) await each.says(/to ban a map/)
  // The second one presses first, but their request takes longer.
  const held = Promise.withResolvers<void>()
  await second.page.route('**/act', async (route) => {
    await held.promise
    await route.continue()
  })
  await two.press(`Ban ${songs[1]}`)
  await one.press(`Ban ${songs[0]}`)
  await one.says(/to ban a map/)
  held.resolve()
  const alert = second.page.getByRole('alert')
  await expect
    .poll(() => alert.textContent(), patient)
    .toMatch(new RegExp(`Somebody else was faster.*banned ${songs[0]}`))
  expect(await faultsOf(second.page)).toEqual([])
  await two.press('All right')
  await two.press(`Ban ${songs[1]}`)
  await two.says(/to pick a map/)
  await one.press(`Pick ${songs[2]}`)
  await one.says('Play the map')

  // A score that cannot be holds the map; it says why, and what frees it.
  await two.hands.write(second.page.getByRole('spinbutton', { name: / Misses$/ }).first(), '3')
  await one.scores('800000', '9999999')
  const needs = first.page.getByRole('region', { name: 'Needs you' })
  await expect.poll(() => needs.textContent(), patient).toMatch(/above the maximum of the map.*not final before/)
  expect(await faultsOf(first.page)).toEqual([])
  await one.press('Pause')
  await two.says(/^Paused/)
  await one.press('Go on')
  await one.press('Dismiss…')
  const dialog = first.page.getByRole('dialog')
  await one.hands.write(dialog.getByRole('textbox'), 'The replay was watched')
  await one.hands.press(dialog.getByRole('button', { name: 'Dismiss' }))
  await expect.poll(() => needs.textContent(), patient).toContain('Nothing')
  // Before the match is over, a penalty touches no other match: it is given at once.
  await one.press('Add…')
  await one.hands.pick(dialog.getByRole('radio').first())
  await one.hands.write(dialog.getByRole('textbox'), 'Swearing')
  await one.hands.press(dialog.getByRole('button', { name: 'Apply' }))
  const penalties = second.page.getByRole('region', { name: 'Penalties' })
  await expect.poll(() => penalties.textContent(), patient).toMatch(/a warning. Swearing/)
})

test('a match without a flow is told map by map', async () => {
  await using visitor = await open(4)
  const referee = new Referee(byKeys(visitor.page))
  await referee.press('Start without a flow')
  const fields = visitor.page.getByRole('spinbutton')
  for (const [number, first, second, line] of [
    [1, '5', '4', '1 : 0'],
    [2, '7', '9', '1 : 1'],
  ] as const) {
    await referee.button(`Save game ${number}`).waitFor()
    await referee.hands.write(fields.nth(0), first)
    await referee.hands.write(fields.nth(1), second)
    await referee.press(`Save game ${number}`)
    await referee.scoreline(line)
  }
  expect(await faultsOf(visitor.page)).toEqual([])
  await referee.press('Take game 2 back')
  await referee.scoreline('1 : 0')
  await referee.press('Walkover…')
  const dialog = visitor.page.getByRole('dialog')
  await referee.hands.pick(dialog.getByRole('radio').first())
  await referee.hands.press(dialog.getByRole('button', { name: 'Show what would happen' }))
  await referee.hands.press(dialog.getByRole('button', { name: 'End without play' }))
  await referee.says('Finished')
})
