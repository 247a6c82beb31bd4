import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { songOfFlow, songOfMatch } from '../../test/proposals.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { visitAs } from './site/readers.ts'
import { patient } from './site/seat.ts'

/** What the cockpit shows of a map while it is played, and what comes of it when it is over. (W8, AS17, AS19, AS21) */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3 })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

async function open(number: number): Promise<RealVisitor> {
  const visitor = await visitAs(browser, api, made.referee)
  await visitor.page.goto(`/manage/${made.cup.id}/live/${(await made.readMatch(number)).guid}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

const begin = async (number: number) =>
  expect((await api.post(`${made.match(number)}/start`, made.organiser)).status).toBe(200)

/** How long tasks of the page take, in milliseconds, from now on. */
const watchTasks = (page: Page) =>
  page.evaluate(() => {
    const durations: number[] = []
    Object.assign(globalThis, { durations })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration)
    }).observe({ type: 'longtask' })
  })

test('values of a map run through the cockpit without a long task', async () => {
  await begin(1)
  const song = await songOfMatch(api, made, 1)
  await using visitor = await open(1)
  const { page } = visitor
  const complaints = complaintsOf(page)
  const tell = (at: number) =>
    Promise.all(
      song.players.map(async (player, side) => {
        const value = { accuracy: 0.95 + side / 100, score: at * 1_000, combo: at, misses: side, songTime: at / 10 }
        const reply = await api.put(`${made.match(1)}/live/${player}`, made.referee, value)
        expect(reply.status, reply.text).toBe(204)
      }),
    )
  const live = page.getByRole('region', { name: 'Live, game 1' })
  await expect
    .poll(async () => {
      await tell(1)
      return page.getByRole('table', { name: /values/i }).count()
    }, patient)
    .toBe(1)
  for (let at = 2; at < 10; at++) await tell(at)
  await watchTasks(page)
  // Ten times a second for two players.
  for (let at = 10; at < 50; at++) {
    const next = new Promise((resolve) => setTimeout(resolve, 100))
    await Promise.all([tell(at), next])
  }
  await expect.poll(() => page.getByRole('table', { name: /values/i }).textContent(), patient).toMatch(/95\.00.*49/)
  const durations = await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations)
  process.stdout.write(`cockpit, live values: ${durations.length} tasks over 50 ms, ${Math.max(0, ...durations)} ms\n`)
  // 50 ms where nothing else runs.
  expect(durations.filter((each) => each > 100)).toEqual([])
  expect(await live.count()).toBe(1)
  expect(await faultsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('what a song came to is corrected, rejected, and corrects a match that is over after a look', async () => {
  await begin(2)
  await using visitor = await open(2)
  const { page } = visitor
  const region = page.getByRole('region', { name: 'Results to decide on' })
  const song = await songOfMatch(api, made, 2)
  const [winner, loser] = song.players
  await song.finish(winner, 700_000)
  await song.finish(loser, 650_000)
  await song.propose({ isComplete: true })
  await region.getByText('Waits for a decision').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await region.getByRole('button', { name: 'Correct and accept' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').first().fill('710000')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Read from the recording.')
  await dialog.getByRole('button', { name: 'Accept as corrected' }).click()
  await region.getByText('Game 1 was accepted by').waitFor()
  await expect.poll(() => page.locator('main h1 .num').allTextContents(), patient).toEqual(['1', '0'])

  const next = await songOfMatch(api, made, 2, { game: 2 })
  await next.finish(winner, 1)
  await next.finish(loser, 2)
  await next.propose({ isComplete: true })
  await region.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The wrong song.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await region.getByText('Game 2 was rejected by').waitFor()

  const last = await songOfMatch(api, made, 2, { game: 2 })
  const game = { sides: [{ score: 9 }, { score: 8 }] }
  expect((await api.put(`${made.match(2)}/games/2`, made.organiser, game)).status).toBe(200)
  await last.finish(winner, 500_000)
  await last.finish(loser, 400_000)
  await last.propose({ isComplete: true })
  await region.getByText('The match is over: accepted, it corrects the result.').waitFor()
  await region.getByRole('button', { name: 'Accept' }).first().click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It came late.')
  await dialog.getByRole('button', { name: 'Show what would happen' }).click()
  await dialog.getByRole('status').waitFor()
  expect((await made.readMatch(2)).games[1].sides[0].score).toBe(9)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await region.getByText('Game 2 was accepted by').waitFor()
  expect((await made.readMatch(2)).games[1].sides[0].score).toBe(500_000)
})

test('a result that is held says what frees it', async () => {
  const flow = await api.post(`${made.path}/flows`, made.organiser, {
    ...{ name: 'By the referee', seats: 2, bestOf: 3 },
    steps: [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }],
    rules: { map: { by: 'score', team: 'sum', players: 1 } },
  })
  expect(flow.status, flow.text).toBe(201)
  const play = new FlowPlay(api, made, 3)
  const begun = await play.begin({ flowGuid: flow.body.guid, poolGuid: made.pool.guid })
  expect(begun.status, begun.text).toBe(201)
  const picked = await play.call(made.referee, 'act', { action: 'pick', map: made.poolMaps[0] })
  expect(picked.status, picked.text).toBe(200)
  // The song is played again in the run that a warning holds.
  const before = play.state
  expect((await play.scores(800_000, 9_999_999)).status).toBe(200)
  play.state = before
  const song = await songOfFlow(api, play)
  await song.finish(song.players[0], 700_000)
  await song.finish(song.players[1], 650_000)
  await song.propose({ isComplete: true })
  await using visitor = await open(3)
  const region = visitor.page.getByRole('region', { name: 'Results to decide on' })
  await region.getByText('The match is held').waitFor()
  await region.getByRole('link', { name: 'Settle them' }).click()
  await expect.poll(() => visitor.page.url(), patient).toMatch(/#needs$/)
  await region.getByRole('button', { name: 'Accept', exact: true }).click()
  await region.getByRole('alert').waitFor()
  expect(await faultsOf(visitor.page)).toEqual([])
})
