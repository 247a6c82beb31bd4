import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

let api: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 7 })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('a match with a flow', () => {
  test('is played from the roll to its result', async () => {
    const play = new FlowPlay(api, made)
    const begun = await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid })
    expect(outcome(begun)).toEqual([201, null])
    expect(play.state).toMatchObject({ status: 'running', turn: { action: 'choose' } })
    const [winner] = play.state.turn.seats
    const loser = 3 - winner
    const steps: [number, object][] = [
      [winner, { action: 'choose', place: 1 }],
      [loser, { action: 'ban', map: made.poolMaps[2] }],
      [winner, { action: 'ban', map: made.poolMaps[4] }],
      [winner, { action: 'pick', map: made.poolMaps[0] }],
      [loser, { action: 'pick', map: made.poolMaps[3] }],
      [winner, { action: 'ban', map: made.poolMaps[6] }],
      [loser, { action: 'ban', map: made.poolMaps[1] }],
    ]
    for (const [seat, body] of steps) expect(outcome(await play.act(seat, body))).toEqual([200, null])
    expect(play.state).toMatchObject({ phase: 'playing', turn: { action: 'play', game: 1 } })
    expect(outcome(await play.scores(900_000, 890_000))).toEqual([200, null])
    expect(play.state.phase).toBe('window')
    expect(outcome(await play.act(2, { action: 'accept' }))).toEqual([200, null])
    expect(await play.match()).toMatchObject({
      status: 'running',
      games: [{ number: 1, winner: 1, sides: [{ score: 900_000 }, { score: 890_000 }] }],
    })
    await play.scores(900_000, 890_000)
    const last = await play.act(2, { action: 'accept' })
    expect(outcome(last)).toEqual([200, null])
    expect(play.state).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 0] })
    expect(play.state.draws.seed).toMatch(/^[0-9a-f]{64}$/)
    expect(await play.match()).toMatchObject({
      status: 'completed',
      sides: [{ score: 2, result: 'win' }, { score: 0 }],
    })
    expect(outcome(await play.act(1, { action: 'ready' }))).toEqual([409, 'flow.over'])
  })
})
