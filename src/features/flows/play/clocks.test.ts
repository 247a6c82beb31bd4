import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePlay, makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { passTime, passUntilLapse } from '../../../../test/flow-time.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Clocks of sessions and their lapses, on two services with one database. */

let api: Harness
let second: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

interface LogRow {
  readonly kind: string
  readonly position: number
  readonly seat: number | null
  readonly at: string
  // biome-ignore lint/suspicious/noExplicitAny: what rows say differs by kind.
  readonly data: any
}

const rowsOf = async (play: FlowPlay): Promise<LogRow[]> => (await api.get(`${play.path}/log`, made.referee)).body.rows
const lapsesOf = async (play: FlowPlay) => (await rowsOf(play)).filter(({ kind }) => kind === 'lapse')
const begun = async (steps: readonly object[], rules: object = {}, more: object = {}) => {
  const flow = await makeFlow(api, made, { ...toTheEnd, rules, steps: [...steps, ...toTheEnd.steps] })
  return freePlay(api, made, { flow, ...more })
}
const left = ({ state }: FlowPlay) => (Date.parse(state.clock.dueAt) - Date.now()) / 1_000
const lapsed = async (play: FlowPlay, count: number) => {
  await expect.poll(async () => (await lapsesOf(play)).length, { timeout: 60_000, interval: 100 }).toBe(count)
  return play.read()
}

describe('a clock', () => {
  test('is paused, goes on, gets more time, is set, and is called for by seats', async () => {
    const ban = { action: 'ban', actor: 'seat:1', seconds: 600 }
    const play = await begun([ban], { timeouts: { count: 2, seconds: 120 }, graceSeconds: 0 })
    const clock = (body: object) => play.call(made.referee, 'clock', body)
    const near = (seconds: number) => {
      expect(left(play)).toBeGreaterThan(seconds - 30)
      expect(left(play)).toBeLessThanOrEqual(seconds + 1)
    }
    near(600)
    expect(play.state.clock).toMatchObject({ number: 1, seconds: 600, pausedAt: null, overdue: false })
    await clock({ op: 'extend', seconds: 60 })
    near(660)
    await clock({ op: 'set', seconds: 300 })
    near(300)
    await play.call(play.captain(2), 'clock', { op: 'timeout' })
    near(420)
    expect(play.state.seats.map(({ timeoutsLeft }: { timeoutsLeft: number }) => timeoutsLeft)).toEqual([2, 1])
    await clock({ op: 'pause' })
    expect(play.state).toMatchObject({ status: 'paused', clock: { dueAt: null } })
    const { remainingMs } = play.state.clock
    expect(remainingMs).toBeGreaterThan(390_000)
    await clock({ op: 'extend', seconds: 10 })
    expect(play.state.clock.remainingMs).toBe(remainingMs + 10_000)
    // The remaining time stays the same, however long the session is paused.
    await passTime(api, [play.state.session], 3_600_000)
    await wait(1_500)
    expect(await lapsesOf(play)).toEqual([])
    await clock({ op: 'resume' })
    near((remainingMs + 10_000) / 1_000)
    // An undone step has at least 15 seconds left.
    await clock({ op: 'set', seconds: 5 })
    await play.act(1, { action: 'ban', map: made.poolMaps[0] })
    await play.call(made.referee, 'undo', {})
    expect(play.state).toMatchObject({ turn: { action: 'ban', seats: [1] } })
    near(15)
    // A referee acts for a seat while the session is paused.
    await clock({ op: 'pause' })
    expect(outcome(await play.call(made.referee, 'act', { action: 'ban', map: made.poolMaps[1] }))).toEqual([200, null])
    expect(play.state).toMatchObject({ status: 'paused', clock: null, phase: 'playing' })
  })

  test('has each policy carried out once, at its end and never before, and at most two seconds late', async () => {
    const hour = { seconds: 3_600 }
    const cases: readonly (readonly [step: object, expected: object, rules?: { readonly graceSeconds?: number }])[] = [
      [
        { action: 'ban', actor: 'seat:1' },
        { policy: 'skip', result: 'skipped' },
      ],
      [
        { action: 'ban', actor: 'seat:1', onTimeout: 'random' },
        { policy: 'random', result: 'drawn' },
      ],
      [
        { action: 'ban', actor: 'seat:1', onTimeout: ['again', 'skip'] },
        { policy: 'again', result: 'warned' },
      ],
      [
        { action: 'pick', actor: 'seat:1' },
        { policy: 'opponent', result: 'passed_on' },
      ],
      [
        { action: 'ban', actor: 'seat:1', times: 2, onTimeout: 'forfeit' },
        { policy: 'forfeit', result: 'forfeited' },
      ],
      [
        { action: 'lineup', actor: 'seat:1' },
        { policy: 'hold', result: 'held' },
      ],
      [
        { action: 'ready', actor: 'all', onTimeout: 'lose_map' },
        { policy: 'lose_map', result: 'map_lost' },
      ],
      [
        { action: 'ready', actor: 'all' },
        { policy: 'proceed', result: 'went_on' },
      ],
      [
        { action: 'break', actor: 'system' },
        { policy: 'proceed', result: 'went_on' },
      ],
      [{ action: 'ban', actor: 'seat:1' }, { policy: 'skip', result: 'skipped' }, { graceSeconds: 3 }],
    ]
    const plays = await Promise.all(cases.map(([step, , rules]) => begun([{ ...step, ...hour }], rules)))
    await passUntilLapse(
      api,
      plays.map(({ state }) => state.session),
      3_000,
    )
    const [last] = plays.slice(-1) as [FlowPlay]
    await expect.poll(async () => (await last.read()).clock?.overdue, { timeout: 60_000, interval: 50 }).toBe(true)
    expect((await last.read(null)).clock.overdue).toBe(true)
    const states = await Promise.all(plays.map((play, index) => lapsed(play, index === 6 || index === 7 ? 2 : 1)))
    for (const [index, play] of plays.entries()) {
      const [, expected, rules = {}] = cases[index] as (typeof cases)[number]
      for (const { data, at } of await lapsesOf(play)) {
        expect(data, String(index)).toMatchObject(expected)
        const lateMs = Date.parse(at) - Date.parse(data.dueAt) - (rules.graceSeconds ?? 1) * 1_000
        expect(lateMs).toBeGreaterThanOrEqual(0)
        // A generous limit, since the machine may be busy with other tests.
        expect(lateMs).toBeLessThan(20_000)
      }
    }
    const kinds = async (index: number) => (await rowsOf(plays[index] as FlowPlay)).slice(1).map(({ kind }) => kind)
    expect(states[0].turn.action).toBe('play')
    expect(await kinds(1)).toEqual(['lapse', 'ban', 'random'])
    expect(states[2]).toMatchObject({ turn: { seats: [1] }, clock: { number: 2, seconds: 3_600 } })
    expect(states[3]).toMatchObject({ turn: { action: 'pick', seats: [2] }, clock: { number: 2 } })
    expect(await kinds(4)).toEqual(['lapse', 'skip', 'random'])
    expect(states[5]).toMatchObject({ phase: 'referee', turn: { action: 'lineup' }, clock: null })
    // Both seats lose the map, so it has no winner.
    expect((await lapsesOf(plays[6] as FlowPlay)).map(({ seat }) => seat)).toEqual([1, 2])
    expect(states[7].phase).toBe('playing')
    expect(await kinds(8)).toEqual(['lapse', 'break', 'random'])
    const events = await api.sql<{ subject: string }>("select subject from event_log where type = 'flow.overdue'")
    expect(events.map(({ subject }) => subject)).toContain(last.state.session)

    // The opponent has the same time again; then a map is drawn. `again` applies once; then the next policy.
    const [again, passed] = [plays[2], plays[3]] as [FlowPlay, FlowPlay]
    expect(outcome(await passed.act(1, { action: 'pick', map: made.poolMaps[0] }))).toEqual([409, 'flow.not_your_turn'])
    await passUntilLapse(api, [again.state.session, passed.state.session], 1_000)
    expect((await lapsed(again, 2)).turn.action).toBe('play')
    await lapsed(passed, 2)
    expect((await lapsesOf(passed)).map(({ seat, data: { policy } }) => [seat, policy])).toEqual([
      [1, 'opponent'],
      [2, 'random'],
    ])
    expect(await kinds(3)).toEqual(['lapse', 'lapse', 'pick', expect.any(String)].slice(0, (await kinds(3)).length))
    // A held turn waits for a referee.
    const held = plays[5] as FlowPlay
    const lineup = { action: 'lineup', users: [held.player(1)] }
    expect(outcome(await held.act(1, lineup))).toEqual([409, 'flow.not_your_turn'])
    expect(outcome(await held.call(made.referee, 'act', lineup))).toEqual([200, null])
  })

  test('has one lapse, on however many services and however late it is found', async () => {
    const play = await begun([{ action: 'ban', actor: 'seat:1', seconds: 3_600 }], { graceSeconds: 0 })
    await passTime(api, [play.state.session], 86_400_000)
    const [lapse] = await lapsed(play, 1).then(() => lapsesOf(play))
    expect(Date.parse(lapse?.at ?? '')).toBeGreaterThan(Date.parse(lapse?.data.dueAt) + 80_000_000)
    await wait(2_500)
    expect(await lapsesOf(play)).toHaveLength(1)
    const rows = await rowsOf(play)
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1))
  })

  test('of a match ends the time for claims, and the map with it', async () => {
    const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules: { replays: { windowSeconds: 300 } } })
    const reply = await api.post(`${made.match(1)}/flow`, made.referee, { flowGuid: flow, poolGuid: made.pool.guid })
    expect(outcome(reply)).toEqual([201, null])
    const play = new FlowPlay(api, made, 1)
    play.state = reply.body
    await play.scores(900_000, 800_000)
    expect(play.state).toMatchObject({ phase: 'window', clock: { seconds: 300 } })
    expect((await made.readMatch(1)).games).toEqual([])
    await passUntilLapse(api, [play.state.session], 500)
    await lapsed(play, 1)
    expect(await made.readMatch(1)).toMatchObject({
      games: [{ number: 1, winner: 1 }],
      sides: [{ score: 1 }, { score: 0 }],
    })
    await play.scores(900_000, 800_000)
    await passUntilLapse(api, [play.state.session], 500)
    await expect.poll(async () => (await play.read()).status, { timeout: 60_000 }).toBe('over')
    expect(await made.readMatch(1)).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 0 }] })
    // Only the system wrote these rows.
    const rows = await rowsOf(play)
    expect(rows.slice(-3).map(({ kind }) => kind)).toEqual(['lapse', 'finish', 'reveal'])
  })
})

describe('the beginning', () => {
  test('waits as long as it is said; meanwhile seats give their texts for the draws', async () => {
    const play = await begun([{ action: 'roll', actor: 'system' }], {}, { startsInSeconds: 600 })
    expect(play.state).toMatchObject({ phase: 'starting', turn: null, draws: { nonces: [null, null], seed: null } })
    expect(left(play)).toBeGreaterThan(500)
    expect(outcome(await play.act(1, { action: 'ban', map: made.poolMaps[0] }))).toEqual([409, 'flow.wrong_action'])
    expect(outcome(await play.act(1, { action: 'nonce', nonce: 'left' }))).toEqual([200, null])
    expect(outcome(await play.act(1, { action: 'nonce', nonce: 'again' }))).toEqual([409, 'flow.wrong_action'])
    expect(outcome(await play.act(2, { action: 'nonce', nonce: 'right' }))).toEqual([200, null])
    expect(outcome(await play.act(2, { action: 'present' }))).toEqual([200, null])
    expect(play.state.draws.nonces).toEqual(['left', 'right'])
    await passUntilLapse(api, [play.state.session], 500)
    const state = await lapsed(play, 1)
    expect(state).toMatchObject({ phase: 'playing', startsAt: expect.any(String) })
    const rows = await rowsOf(play)
    // Tied rolls are drawn again.
    const [lapse, roll] = rows.slice(rows.findIndex(({ kind }) => kind === 'lapse'))
    expect(lapse).toMatchObject({ kind: 'lapse', data: { policy: 'proceed', result: 'started' } })
    expect(Date.parse(lapse?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(state.startsAt))
    expect(roll).toMatchObject({ kind: 'roll', by: null })
    expect(outcome(await play.act(2, { action: 'nonce', nonce: 'late' }))).toEqual([409, 'flow.wrong_action'])
  })
})
