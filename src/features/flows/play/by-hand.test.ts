import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeVisibility } from '../../../../test/visibility.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { cancelByBlock } from '../../tournaments/tournaments/commands/status.ts'

/** What the match's own operations do to its session. (match-flows: Who wins a map, and the match, rules 5 and 8) */

let api: Harness
let made: MadeFlowPlay
let next = 0
let drawn: string
let timed: string
let readied: string
const none = { replays: { rule: 'none' } }

beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 64, bestOf: 3, maps: 12 })
  ;({ drawn, timed } = await makeFlows(made))
  const ready = { action: 'ready', actor: 'all', seconds: 5, onTimeout: 'lose_map' }
  readied = await makeFlow(api, made, {
    name: 'Ready',
    seats: 2,
    bestOf: null,
    pairs: [],
    rules: { ...none, graceSeconds: 0 },
    steps: [{ repeat: 'until_decided', steps: [ready, { action: 'random' }, { action: 'play' }] }],
  })
})
afterAll(() => api[Symbol.asyncDispose]())

async function makeFlows(cup: MadeFlowPlay): Promise<{ drawn: string; timed: string }> {
  const flow = { seats: 2, bestOf: null, pairs: [], rules: none }
  const of = (first: object) => [{ repeat: 'until_decided', steps: [first, { action: 'play' }] }]
  return {
    drawn: await makeFlow(api, cup, { ...flow, name: 'Drawn', steps: of({ action: 'random' }) }),
    timed: await makeFlow(api, cup, {
      ...flow,
      name: 'Timed',
      rules: { ...none, graceSeconds: 0 },
      steps: of({ action: 'pick', actor: 'seat:1', seconds: 600 }),
    }),
  }
}

async function begin(flowGuid = drawn, number = ++next, cup = made): Promise<MatchPlay> {
  const play = new MatchPlay(api, cup, number)
  await play.begin({ flowGuid })
  return play
}

const pick = (play: MatchPlay) =>
  play.done(play.made.referee, 'act', { action: 'pick', seat: 1, map: play.state.turn.options[0] })

const sides = (first: number, second: number) => [{ score: first }, { score: second }]
const address = (play: MatchPlay) => play.made.match(play.number)
const tell = (play: MatchPlay, game: number, body: object) =>
  api.put(`${address(play)}/games/${game}`, play.made.organiser, body)
const removeGame = (play: MatchPlay, game: number) => api.delete(`${address(play)}/games/${game}`, play.made.organiser)
const correction = async (play: MatchPlay, operation: string, body: object): Promise<Reply> => {
  const send = (query: string, more: object) => {
    const call = operation === 'result' ? api.put : api.post
    return call(`${address(play)}/${operation}${query}`, play.made.organiser, { ...body, ...more })
  }
  const preview = await send('?dryRun=true', {})
  if (preview.status !== 200) return preview
  return send('', { revision: preview.body.revision })
}
const undo = (guid: string) => api.post(`${made.path}/corrections/${guid}/undo`, made.organiser)

/** Makes a change by hand, which must succeed and leave log and match in agreement. Returns the added rows. */
async function byHand(play: MatchPlay, work: () => Promise<Reply>): Promise<StateBody[]> {
  const { position } = play.state
  expect(outcome(await work())).toEqual([200, null])
  await play.agrees()
  return (await play.log()).filter((row) => row.position > position)
}

describe('maps', () => {
  test('told, told anew, taken back; and played on', async () => {
    const play = await begin()
    const first = await byHand(play, () => tell(play, 1, { sides: sides(500_000, 400_000) }))
    expect(first).toMatchObject([
      { kind: 'map_told', by: { guid: made.organiser.guid }, data: { game: 1, winner: 1, totals: [500_000, 400_000] } },
      { kind: 'random', by: null },
    ])
    expect(play.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ phase: 'final', winner: 1, because: 'told' }, { phase: 'playing' }],
      turn: { action: 'play', game: 2 },
    })
    const { revision } = await play.match()
    // Repeating the report changes nothing.
    expect(await byHand(play, () => tell(play, 1, { sides: sides(500_000, 400_000) }))).toEqual([])
    expect(outcome(await tell(play, 1, { sides: sides(1, 2) }))).toEqual([409, 'game.reported'])
    const again = await byHand(play, () => tell(play, 1, { sides: sides(300_000, 400_000), revision }))
    expect(again).toMatchObject([{ kind: 'map_told', data: { game: 1, winner: 2 } }])
    expect(play.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2 }, { phase: 'playing' }] })
    await play.win(1)
    // A report by hand overrides the result of a played map.
    const second = await byHand(play, async () =>
      tell(play, 2, { sides: sides(700_000, 600_000), revision: (await play.match()).revision }),
    )
    expect(second).toMatchObject([{ kind: 'map_told', data: { game: 2, winner: 1 } }])
    const removed = await byHand(play, () => removeGame(play, 2))
    expect(removed[0]).toMatchObject({ kind: 'undo', by: { guid: made.organiser.guid } })
    expect(play.state).toMatchObject({ scoreline: [0, 1], turn: { action: 'play', game: 2 } })
    await play.win(2)
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ score: 0 }, { score: 2 }] })
  })

  test('told with all that was on them', async () => {
    const play = await begin()
    const { map } = play.state.pool.maps.find(({ guid }: StateBody) => guid === play.state.games[0].map)
    const { hash, difficulty, characteristic } = map
    const players = [1, 2].map((side) => ({ userGuid: play.player(side), side, score: side * 100_000 }))
    const reported = { sides: sides(100_000, 200_000), map: { hash, difficulty, characteristic }, players }
    const rows = await byHand(play, () => tell(play, 1, reported))
    expect(rows[0]).toMatchObject({ kind: 'map_told', map: play.state.games[0].map, data: { winner: 2 } })
    expect((await play.match()).games).toMatchObject([{ players, map: { hash } }])
    await play.win(2)
    expect((await play.match()).games).toMatchObject([{ players, map: { hash } }, { winner: 2 }])
  })

  test('of which only the players are told otherwise', async () => {
    const play = await begin()
    await play.win(1)
    const { revision, games } = await play.match()
    const players = [1, 2].map((side) => ({ userGuid: play.player(side), side, score: side * 100_000 }))
    const [{ sides: before }] = games
    const rows = await byHand(play, () => tell(play, 1, { sides: before, players, revision }))
    expect(rows).toMatchObject([{ kind: 'map_told', data: { game: 1, winner: 1 } }])
    await play.win(2)
    expect((await play.match()).games).toMatchObject([{ players }, { winner: 2 }])
  })

  test('lost by a penalty before it begins, and taken back by hand', async () => {
    const play = await begin()
    await play.win(1)
    await play.penalise({ seat: 1, type: 'map_loss', game: 2 })
    expect((await play.match()).games).toMatchObject([{ winner: 1 }, { winner: 2 }])
    const rows = await byHand(play, () => removeGame(play, 2))
    expect(rows.map(({ kind }) => kind)).toEqual(['undo'])
    expect(play.state).toMatchObject({ scoreline: [1, 0], turn: { action: 'play', game: 2 } })
    await play.winAll(1)
  })

  test('lost by a lapse, and taken back by hand', async () => {
    const play = await begin(readied)
    await play.done(made.referee, 'act', { action: 'ready', seat: 1 })
    await expect.poll(async () => (await play.read()).scoreline, { timeout: 30_000 }).toEqual([1, 0])
    expect((await play.agrees()).games).toMatchObject([{ winner: 1 }])
    const rows = await byHand(play, () => removeGame(play, 1))
    expect(rows.filter(({ kind }) => kind === 'undo')).toHaveLength(1)
    expect(play.state).toMatchObject({ scoreline: [0, 0], turn: { action: 'ready', seats: [2] } })
    await play.done(made.referee, 'act', { action: 'ready', seat: 2 })
    await play.win(2)
    expect((await play.match()).games).toMatchObject([{ winner: 2 }])
  })

  test('taken back by the session', async () => {
    const play = await begin()
    await byHand(play, () => tell(play, 1, { sides: sides(500_000, 400_000) }))
    await play.undo()
    expect(await play.match()).toMatchObject({ status: 'running', games: [] })
    expect(play.state).toMatchObject({ scoreline: [0, 0], turn: { action: 'play', game: 1 } })
    await play.win(2)
    await byHand(play, () => removeGame(play, 1))
    expect(play.state).toMatchObject({ scoreline: [0, 0], turn: { action: 'play', game: 1 } })
    await play.winAll(1)
  })

  test('told while somebody is to choose, and while the session is paused', async () => {
    const play = await begin(timed)
    await byHand(play, () => tell(play, 1, { sides: sides(1, 2) }))
    expect(play.state).toMatchObject({ scoreline: [0, 1], turn: { action: 'pick' } })
    await pick(play)
    expect(play.state).toMatchObject({ turn: { action: 'play', game: 2 } })
    await play.done(made.referee, 'clock', { op: 'pause' })
    await byHand(play, () => tell(play, 2, { sides: sides(2, 1) }))
    expect(play.state).toMatchObject({ status: 'paused', scoreline: [1, 1], turn: { action: 'pick' } })
    expect(play.state.clock).toMatchObject({ dueAt: null })
    await play.done(made.referee, 'clock', { op: 'resume' })
    expect(play.state.clock.dueAt).not.toBeNull()
    await pick(play)
    await byHand(play, () => tell(play, 3, { sides: sides(2, 1) }))
    expect(play.state).toMatchObject({ status: 'over', winner: 1, clock: null })
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 1 }] })
    expect(play.state.draws.seed).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a technical replay of the last one', async () => {
    const play = await begin()
    await play.win(1)
    await play.technical(2)
    expect(await play.match()).toMatchObject({ games: [] })
    await play.run(null, 950_000)
    expect((await play.agrees()).games).toMatchObject([{ winner: 2, sides: sides(900_000, 950_000) }])
    await play.winAll(2)
    const refused = await play.call(made.referee, 'claims', { kind: 'technical', seats: [1], reason: 'Crash.' })
    expect(outcome(refused)).toEqual([409, 'flow.match_completed'])
    expect(refused.body.state).toMatchObject({ status: 'over' })
    await byHand(play, () => correction(play, 'reopen', { reason: 'A crash.' }))
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.technical(1)
    expect(await play.match()).toMatchObject({ status: 'running', games: [{}] })
    await play.run(990_000)
    expect((await play.agrees()).games).toMatchObject([{ winner: 2 }, { winner: 1 }])
    await play.winAll(1)
  })
})

describe('results', () => {
  test('told, told again, corrected, opened again', async () => {
    const play = await begin()
    await play.win(1)
    const result = { outcome: 'score', scores: [0, 2] }
    const rows = await byHand(play, () => made.tell(play.number, result))
    expect(rows).toMatchObject([
      { kind: 'result_told', by: { guid: made.organiser.guid }, data: { result: { outcome: 'score', winner: 2 } } },
      { kind: 'finish', by: null },
      { kind: 'reveal' },
    ])
    expect(play.state).toMatchObject({ status: 'over', winner: 2, turn: null, clock: null })
    expect(outcome(await play.call(play.captain(1), 'act', { action: 'ready' }))).toEqual([409, 'flow.over'])
    expect(await byHand(play, () => correction(play, 'result', result))).toEqual([])
    const other = await byHand(play, () => correction(play, 'result', { outcome: 'score', scores: [2, 1] }))
    expect(other[0]).toMatchObject({ kind: 'result_told', data: { result: { winner: 1 } } })
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
    const { commitment } = play.state.draws
    const opened = await byHand(play, () => correction(play, 'reopen', { reason: 'A protest.' }))
    expect(opened[0]).toMatchObject({ kind: 'reopened', data: { reason: 'A protest.' } })
    expect(play.state).toMatchObject({
      status: 'paused',
      winner: null,
      scoreline: [1, 0],
      turn: { action: 'play', game: 2 },
      draws: { seed: null, earlier: [{ commitment }] },
    })
    expect(play.state.draws.commitment).not.toBe(commitment)
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.win(2)
    await play.win(2)
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('that the session came to, opened again: the last map is told anew', async () => {
    const play = await begin(timed)
    for (const seat of [1, 1]) {
      await pick(play)
      await play.win(seat)
    }
    await byHand(play, () => correction(play, 'reopen', { reason: 'A protest.' }))
    expect(play.state).toMatchObject({ status: 'paused', scoreline: [2, 0], winner: null })
    const { revision } = await play.match()
    await byHand(play, () => tell(play, 2, { sides: sides(1, 2), revision }))
    expect(play.state).toMatchObject({ scoreline: [1, 1], winner: null })
    await play.done(made.referee, 'clock', { op: 'resume' })
    await pick(play)
    await play.win(2)
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('that the session came to, opened again, and that undone', async () => {
    const play = await begin(timed)
    for (const seat of [1, 1]) {
      await pick(play)
      await play.win(seat)
    }
    const reopened = await correction(play, 'reopen', { reason: 'A protest.' })
    expect(outcome(reopened)).toEqual([200, null])
    await play.agrees()
    await byHand(play, () => undo(reopened.body.correctionGuid))
    expect(play.state).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 0], turn: null, clock: null })
    expect(await play.match()).toMatchObject({ status: 'completed' })
  })

  test('that its maps decide, opened again, stays so until a referee has it played on, at either door', async () => {
    for (const isSaidAtOnce of [true, false]) {
      const play = await begin()
      for (const seat of [1, 1]) await play.win(seat)
      const body = { reason: 'A protest.', ...(isSaidAtOnce ? { resume: 'play_on' } : {}) }
      await byHand(play, () => correction(play, 'reopen', body))
      if (!isSaidAtOnce) {
        const decided = { phase: 'decided', stuck: 'decided', turn: null, clock: null, winner: null, scoreline: [2, 0] }
        expect(play.state).toMatchObject({ ...decided, status: 'paused' })
        await play.done(made.referee, 'clock', { op: 'resume' })
        expect(play.state).toMatchObject({ ...decided, status: 'running' })
        expect(outcome(await play.call(made.referee, 'clock', { op: 'resume' }))).toEqual([409, 'flow.wrong_action'])
        await play.done(made.referee, 'clock', { op: 'resume', resume: 'play_on' })
      } else await play.done(made.referee, 'clock', { op: 'resume' })
      expect(play.state).toMatchObject({ status: 'running', turn: { action: 'play', game: 3 } })
      await play.win(2)
      expect(play.state).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 1] })
      expect(await play.agrees()).toMatchObject({ status: 'completed' })
    }
  })

  test('a forfeit, opened again: it is played on, until somebody forfeits anew; undone, it stands', async () => {
    const play = await begin()
    await play.win(1)
    await play.penalise({ seat: 1, type: 'match_forfeit' })
    const reopened = await correction(play, 'reopen', { reason: 'They are here.' })
    expect(outcome(reopened)).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'running', outcome: null })
    expect(play.state).toMatchObject({ status: 'paused', winner: null, scoreline: [1, 0] })
    expect((await play.log()).at(-1)).toMatchObject({ kind: 'reopened' })
    await byHand(play, () => undo(reopened.body.correctionGuid))
    expect(play.state).toMatchObject({ status: 'over', winner: 2 })
    await byHand(play, () => correction(play, 'reopen', { reason: 'They are here.' }))
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.win(2)
    expect(play.state).toMatchObject({ status: 'running', scoreline: [1, 1] })
    await play.penalise({ seat: 2, type: 'match_forfeit' })
    expect(await play.agrees()).toMatchObject({ status: 'completed', outcome: 'walkover' })
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
  })

  test('opened again, and the last map taken back', async () => {
    const play = await begin()
    for (const seat of [1, 1]) await play.win(seat)
    await byHand(play, () => correction(play, 'reopen', { reason: 'A protest.' }))
    await byHand(play, () => removeGame(play, 2))
    expect(play.state).toMatchObject({ status: 'paused', scoreline: [1, 0], turn: { action: 'play', game: 2 } })
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.winAll(2)
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('opened again, and the last map taken back by the session', async () => {
    const play = await begin()
    for (const seat of [1, 1]) await play.win(seat)
    await byHand(play, () => correction(play, 'reopen', { reason: 'A protest.' }))
    await play.undo()
    expect((await play.agrees()).games).toHaveLength(1)
    expect(play.state).toMatchObject({ scoreline: [1, 0], turn: { action: 'play', game: 2 } })
    if (play.state.status === 'paused') await play.done(made.referee, 'clock', { op: 'resume' })
    await play.winAll(2)
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('a walkover, and the withdrawal of a team, end it with its clock', async () => {
    const play = await begin(timed)
    expect(play.state.clock).not.toBeNull()
    const rows = await byHand(play, () => made.tell(play.number, { outcome: 'walkover', winner: 2 }))
    expect(rows.map(({ kind }) => kind)).toEqual(['result_told', 'finish', 'reveal'])
    expect(play.state).toMatchObject({ status: 'over', winner: 2, clock: null })
    const other = await begin(timed)
    await pick(other)
    const { team } = other.state.seats[0]
    const left = await byHand(other, () =>
      api.post(`${made.path}/teams/${team.guid}/withdraw`, made.organiser, { reason: 'Ill', policy: 'walkover' }),
    )
    expect(left.map(({ kind }) => kind)).toEqual(['result_told', 'finish', 'reveal'])
    expect(other.state).toMatchObject({ status: 'over', winner: 2, clock: null })
    const withdrawal = `${made.path}/teams/${team.guid}/withdrawal`
    const seen = await api.call('DELETE', `${withdrawal}?dryRun=true`, { as: made.organiser })
    const { revisions } = seen.body
    const back = await byHand(other, () => api.call('DELETE', withdrawal, { as: made.organiser, body: { revisions } }))
    expect(back.map(({ kind }) => kind)).toContain('reopened')
    expect(other.state).toMatchObject({ winner: null })
    const [entry] = (await api.get(`${made.path}/corrections`, made.organiser)).body.corrections
    const again = await byHand(other, () => api.post(`${made.path}/corrections/${entry.guid}/undo`, made.organiser))
    expect(again.map(({ kind }) => kind)).toContain('undo')
    expect(other.state).toMatchObject({ status: 'over', winner: 2, clock: null })
    const due = await api.sql('select 1 from flow_sessions where status = $1 and lapses_at is not null', ['over'])
    expect(due).toEqual([])
  })
})

describe('other teams', () => {
  test('a correction elsewhere makes a session void, and its undo has it live again', async () => {
    const numbers = [++next, ++next] as const
    const [one, two] = [await begin(drawn, numbers[0]), await begin(drawn, numbers[1])]
    for (const play of [one, two]) await play.winAll(1)
    const { nextMatchGuid } = await one.match()
    const { matches } = await made.read()
    const { number } = matches.find(({ guid }: StateBody) => guid === nextMatchGuid)
    const play = await begin(timed, number)
    await pick(play)
    await play.win(1)
    expect(play.state.clock).not.toBeNull()
    const corrected = await correction(one, 'result', { outcome: 'score', scores: [0, 2] })
    expect(outcome(corrected)).toEqual([200, null])
    expect(await play.read()).toMatchObject({ status: 'void', phase: 'over', turn: null, clock: null })
    expect((await play.log()).at(-1)).toMatchObject({ kind: 'void', data: { why: 'teams' } })
    const scores = { scores: [] }
    expect(outcome(await play.call(made.referee, 'scores', scores))).toEqual([409, 'flow.over'])
    await one.read()
    expect(one.state).toMatchObject({ status: 'over', winner: 2 })
    expect(outcome(await undo(corrected.body.correctionGuid))).toEqual([200, null])
    await play.agrees()
    expect((await play.log()).at(-1)).toMatchObject({ kind: 'undo' })
    expect(play.state).toMatchObject({ status: 'running', scoreline: [1, 0], turn: { action: 'pick' } })
    expect(play.state.clock).not.toBeNull()
    await one.agrees()
    expect(one.state).toMatchObject({ status: 'over', winner: 1 })
    await pick(play)
    await play.win(1)
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 0 }] })
  })

  test('two that meet again by another correction begin anew; only undos bring back what they had played', async () => {
    const numbers = [++next, ++next] as const
    const [one, two] = [await begin(drawn, numbers[0]), await begin(drawn, numbers[1])]
    for (const play of [one, two]) await play.winAll(1)
    const { nextMatchGuid } = await one.match()
    const { number } = (await made.read()).matches.find(({ guid }: StateBody) => guid === nextMatchGuid)
    const play = await begin(timed, number)
    await pick(play)
    await play.win(1)
    const { position } = play.state
    const corrected = async (scores: number[]) => {
      const reply = await correction(one, 'result', { outcome: 'score', scores })
      expect(outcome(reply)).toEqual([200, null])
      return reply.body.correctionGuid as string
    }
    const corrections = [await corrected([0, 2]), await corrected([2, 0])]
    expect(await play.match()).toMatchObject({ status: 'ready', games: [], startedAt: null })
    expect(await play.read()).toMatchObject({ status: 'void', position: position + 1 })
    for (const guid of corrections.toReversed()) expect(outcome(await undo(guid))).toEqual([200, null])
    await play.agrees()
    expect(play.state).toMatchObject({ status: 'running', scoreline: [1, 0], turn: { action: 'pick' } })
    await corrected([0, 2])
    await corrected([2, 1])
    const anew = await begin(drawn, number)
    expect(anew.state.session).not.toBe(play.state.session)
    await anew.winAll(2)
    expect(await play.read()).toMatchObject({ status: 'void' })
  })

  test('a new session begins for the team that came in its place', async () => {
    const numbers = [++next, ++next] as const
    const [one, two] = [await begin(drawn, numbers[0]), await begin(drawn, numbers[1])]
    for (const play of [one, two]) await play.winAll(1)
    const { nextMatchGuid } = await one.match()
    const { number } = (await made.read()).matches.find(({ guid }: StateBody) => guid === nextMatchGuid)
    const play = await begin(drawn, number)
    await play.win(1)
    const corrected = await correction(one, 'result', { outcome: 'score', scores: [0, 2] })
    expect(outcome(corrected)).toEqual([200, null])
    const anew = await begin(drawn, number)
    expect(anew.state.session).not.toBe(play.state.session)
    await anew.winAll(2)
    expect(await play.read()).toMatchObject({ status: 'void' })
    expect(outcome(await undo(corrected.body.correctionGuid))).toEqual([409, 'correction.overtaken'])
  })
})

describe('sessions', () => {
  test('restart: the old one is void, and the new one has nothing of it', async () => {
    const play = await begin(timed)
    await pick(play)
    const old = play.state.session
    const [chosen] = play.state.picksBans
    expect(chosen).toBeDefined()
    await play.run({ score: 1 })
    const reply = await play.call(made.referee, 'restart', { reason: 'The wrong pool.' })
    expect(outcome(reply)).toEqual([200, null])
    expect(play.state.session).not.toBe(old)
    expect(play.state).toMatchObject({ status: 'running', position: 1, picksBans: [], games: [] })
    await play.agrees()
    const before = await api.get(`${made.path}/flow-sessions/${old}`, made.referee)
    expect(before.body).toMatchObject({ status: 'void', draws: { seed: null } })
    expect((await api.get(`${address(play)}/flow`)).body.session).toBe(play.state.session)
    // Reports by hand for the match are written only to the new session.
    await byHand(play, () => tell(play, 1, { sides: sides(1, 2) }))
    expect((await api.get(`${made.path}/flow-sessions/${old}`, made.referee)).body.position).toBe(before.body.position)
    expect(outcome(await play.call(made.referee, 'restart', { reason: 'No.' }))).toEqual([409, 'flow.map_final'])
    await byHand(play, () => removeGame(play, 1))
    expect(outcome(await play.call(made.referee, 'restart', { reason: 'Yes.' }))).toEqual([200, null])
  })

  test('finish: the match goes on by hand, and the session is not heard of again', async () => {
    const play = await begin(timed)
    await pick(play)
    await play.win(1)
    await play.done(made.referee, 'finish', { reason: 'By hand from now on.' })
    expect(play.state).toMatchObject({ status: 'over', winner: null, clock: null })
    expect(await play.match()).toMatchObject({ status: 'running', games: [{ winner: 1 }] })
    const { position } = play.state
    for (const game of [2, 3]) expect(outcome(await tell(play, game, { sides: sides(1, 2) }))).toEqual([200, null])
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
    expect(await play.read()).toMatchObject({ status: 'over', position, winner: null })
    expect(outcome(await correction(play, 'reopen', { reason: 'A protest.' }))).toEqual([200, null])
    expect(await play.read()).toMatchObject({ status: 'over', position })
  })

  test('end_flow: maps are told by hand, and the session follows', async () => {
    const play = await begin()
    await play.win(1)
    await play.override({ op: 'end_flow' })
    expect(play.state).toMatchObject({ status: 'running', stuck: 'by_hand', turn: null })
    await byHand(play, () => tell(play, 2, { sides: sides(1, 2) }))
    await byHand(play, () => tell(play, 3, { sides: sides(1, 2) }))
    expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 2] })
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('a cancelled tournament: clocks end, and nothing lapses', async () => {
    const cup = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 12 })
    const flows = await makeFlows(cup)
    const one = await begin(flows.timed, 1, cup)
    const two = await begin(flows.drawn, 2, cup)
    await one.done(cup.referee, 'clock', { op: 'set', seconds: 5 })
    const { position } = one.state
    const cancelled = await api.post(`${cup.path}/status`, cup.organiser, { status: 'cancelled', reason: 'Flood.' })
    expect(outcome(cancelled)).toEqual([200, null])
    for (const play of [one, two]) {
      const { body } = await api.get(play.path, cup.referee)
      expect(body).toMatchObject({ status: 'over', winner: null, clock: null, turn: null })
    }
    expect(await one.kinds(position)).toEqual(['finish', 'reveal'])
    expect(outcome(await one.call(cup.referee, 'clock', { op: 'pause' }))).toEqual([409, 'tournament.cancelled'])
  })

  test('a tournament that is blocked takes its sessions along, in the same step', async () => {
    const cup = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 12 })
    const play = await begin((await makeFlows(cup)).timed, 1, cup)
    const { position } = play.state
    const listing = await makeVisibility(api)
    const [request] = await api.sql<{ guid: string }>(
      'select guid from visibility_requests where tournament_guid = $1 and platform_guid = $2',
      [cup.cup.guid, listing.systemPlatform],
    )
    const verdict = { decision: 'blocked', reason: 'Stolen prizes.' }
    const reply = await listing.review(listing.main, request?.guid ?? '', await listing.member('reviewer'), verdict)
    expect(outcome(reply)).toEqual([200, null])
    expect(await play.read()).toMatchObject({ status: 'over', winner: null, clock: null, turn: null })
    const rows = (await play.log()).filter((row) => row.position > position)
    expect(rows).toMatchObject([
      { kind: 'finish', by: null },
      { kind: 'reveal', by: null },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/block|Stolen/)
    const transactions = await api.sql<{ type: string; id: string }>(
      `select type, xmin::text as id from event_log where tournament = $1
         and (type = 'tournament.status_changed' or (type = 'flow.row' and after ->> 'kind' in ('finish', 'reveal')))`,
      [cup.cup.guid],
    )
    expect(transactions.map(({ type }) => type).toSorted()).toEqual([
      ...['flow.row', 'flow.row', 'tournament.status_changed'],
    ])
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(1)
  })

  test('a session that was begun while its tournament was cancelled is ended behind it', async () => {
    const cup = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 12 })
    const play = await begin((await makeFlows(cup)).timed, 1, cup)
    const { position } = play.state
    await api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, cup.cup.guid)
      await cancelByBlock(tx, locked.tournament, cup.referee.guid, new Date())
    })
    await expect.poll(async () => (await api.get(play.path, cup.referee)).body.status, { timeout: 60_000 }).toBe('over')
    expect(await play.kinds(position)).toEqual(['finish', 'reveal'])
  })
})
