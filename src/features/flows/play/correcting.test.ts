import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lineOf, substanceOf } from '../../../../test/bracket-play.ts'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { commitmentOf } from '../../../engine/flows/draws.ts'

/** Corrections after a map was final. (match-flows: Who wins a map, and the match, rule 7) */

let api: Harness
let made: MadeFlowPlay
/** First-round matches, whose winners meet in pairs. */
let next = 0
let loserPicks: string
let drawn: string
let timed: string

beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 64, bestOf: 3, maps: 12 })
  const rules = { replays: { rule: 'none' }, pauseLimitSeconds: 10 }
  const flow = { seats: 2, bestOf: null, pairs: [], rules }
  const map = [{ action: 'random' }, { action: 'play' }]
  drawn = await makeFlow(api, made, { ...flow, name: 'Drawn', steps: [{ repeat: 'until_decided', steps: map }] })
  const picked = [{ action: 'pick', actor: 'lastMapLoser' }, { action: 'play' }]
  const pick = [{ action: 'pick', actor: 'seat:1', seconds: 600 }, { action: 'play' }]
  timed = await makeFlow(api, made, { ...flow, name: 'Timed', steps: [{ repeat: 'until_decided', steps: pick }] })
  loserPicks = await makeFlow(api, made, {
    ...flow,
    name: 'The loser picks',
    steps: [...map, { repeat: 'until_decided', steps: picked }],
  })
})
afterAll(() => api[Symbol.asyncDispose]())

async function begin(flowGuid: string, { number = ++next, bestOf = 3 } = {}): Promise<MatchPlay> {
  if (bestOf !== 3) await api.patch(made.match(number), made.organiser, { bestOf })
  const play = new MatchPlay(api, made, number)
  await play.begin({ flowGuid })
  return play
}

/** Plays a match in which these seats win the maps, one after the other. */
async function played(seats: readonly number[], bestOf = 3): Promise<MatchPlay> {
  const play = await begin(drawn, { bestOf })
  for (const seat of seats) await play.win(seat)
  return play
}

const scoreOf = (play: MatchPlay, game: number, seat: number): StateBody =>
  play.state.games[game - 1].chains.at(-1)[0].scores.find((score: StateBody) => score.seat === seat)

/** Corrects a score of the seat so that it wins the map. */
const correct = (play: MatchPlay, game: number, seat: number, body: object = {}, query = '') =>
  api.patch(`${play.path}/scores/${scoreOf(play, game, seat).guid}${query}`, made.referee, {
    score: 950_000,
    reason: 'Typed wrongly.',
    ...body,
  })
const undo = (guid: string) => api.post(`${made.path}/corrections/${guid}/undo`, made.organiser)
const places = async () => substanceOf(await made.read()).matches
/** The members of a state that describe the play. */
const said = ({ seats, maps, games, scoreline, picksBans, claims, winner }: StateBody) => ({
  seats,
  maps,
  games,
  scoreline,
  picksBans,
  claims,
  winner,
})
/** The draws of the reopened session can be checked, since its seed is published too. */
const revealsBoth = (play: MatchPlay, before: StateBody, meanwhile: StateBody) => {
  expect(play.state.draws).toEqual({
    ...meanwhile,
    seed: expect.any(String),
    earlier: [{ commitment: before.commitment, seed: before.seed }],
  })
  expect(commitmentOf(Buffer.from(play.state.draws.seed, 'hex'))).toBe(meanwhile.commitment)
}
const lineOfNext = async ({ number }: MatchPlay) => {
  const match = await made.readMatch(number)
  const { matches } = await made.read()
  return lineOf(matches.find(({ guid }: StateBody) => guid === match.nextMatchGuid))
}

describe('while the match runs', () => {
  test('its game is rewritten at once; what was chosen stays, and steps to come look at the new result', async () => {
    const play = await begin(loserPicks)
    await play.win(2)
    expect(play.state.turn).toMatchObject({ action: 'pick', seats: [1] })
    await play.done(play.captain(1), 'act', { action: 'pick', map: play.state.turn.options[0] })
    const { position } = play.state
    expect(outcome(await correct(play, 1, 1, {}, '?dryRun=true'))).toEqual([400, 'flow.nothing_to_preview'])
    expect(outcome(await correct(play, 1, 1))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({
      status: 'running',
      games: [{ winner: 1, sides: [{ score: 950_000 }, { score: 900_000 }] }],
    })
    expect(await play.kinds(position)).toEqual(['score_corrected'])
    expect(play.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ winner: 1 }, { pickedBy: 1, phase: 'playing' }],
      warnings: [{ code: 'turn_after_correction', position }],
    })
    // Repeating the correction changes nothing.
    expect(outcome(await correct(play, 1, 1))).toEqual([200, null])
    expect((await play.read()).position).toBe(position + 1)
    await play.override({ op: 'dismiss', warning: play.state.warnings[0].guid })
    // The second map now decides the match.
    await play.win(2)
    expect(play.state.turn).toMatchObject({ action: 'pick', seats: [1] })
    await play.done(play.captain(1), 'act', { action: 'pick', map: play.state.turn.options[0] })
    await play.win(1)
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 1 }] })
  })

  test('an earlier map decides only if the later ones may be dropped', async () => {
    const play = await played([1, 1, 2, 2], 5)
    const refused = await correct(play, 3, 1)
    expect(outcome(refused)).toEqual([409, 'game.not_needed'])
    expect(refused.body.state).toMatchObject({ position: play.state.position, scoreline: [2, 2] })
    const award = { op: 'award_map', winner: 1, game: 3, reason: 'Rules.' }
    expect(outcome(await play.call(made.referee, 'override', award))).toEqual([409, 'game.not_needed'])
    await play.read()
    expect(outcome(await correct(play, 3, 1, { dropLater: true }))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'completed', games: [{}, {}, { winner: 1 }] })
    expect(play.state).toMatchObject({ status: 'over', winner: 1, scoreline: [3, 0] })
    expect((await play.log()).slice(-3)).toMatchObject([
      { kind: 'score_corrected', by: { guid: made.referee.guid } },
      { kind: 'finish', data: { winner: 1 } },
      { kind: 'reveal' },
    ])
  })

  test('what is sent once more counts once: a penalty, its voiding, a score, also of a match that is over', async () => {
    const play = await played([1])
    const twice = async (path: string, given: object) => {
      const { position } = play.state
      const send = (body: object) => api[path.includes('/scores/') ? 'patch' : 'post'](path, made.referee, body)
      const body = { ...given, expect: position }
      const replies = [await send(body), await send(body)]
      expect(replies.map(outcome)).toEqual([
        [200, null],
        [200, null],
      ])
      await play.agrees()
      const after = play.state.position
      // A different request of the same kind is too late.
      expect(outcome(await send({ ...body, reason: 'Something else.' }))).toEqual([409, 'flow.moved'])
      expect(await play.read()).toMatchObject({ position: after })
      expect(after).toBe(position + 1)
    }
    await twice(`${play.path}/penalties`, { seat: 1, type: 'warning', reason: 'Late.' })
    expect(play.state.seats[0].penalties).toHaveLength(1)
    const { guid } = play.state.seats[0].penalties[0]
    await twice(`${play.path}/penalties/${guid}/void`, { reason: 'They were not.' })
    const address = () => `${play.path}/scores/${scoreOf(play, 1, 1).guid}`
    await twice(address(), { score: 890_000, reason: 'Misread.' })
    await play.winAll(1)
    const { revision } = await made.read()
    await twice(address(), { score: 895_000, reason: 'Misread again.', revision })
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
  })

  test('a penalty that ends the match, and a forfeit', async () => {
    const play = await played([1])
    await play.penalise({ seat: 2, type: 'map_loss' })
    expect(await play.agrees()).toMatchObject({ status: 'completed', games: [{}, { winner: 1 }] })
    const other = await played([1])
    await other.penalise({ seat: 1, type: 'match_forfeit' })
    expect(other.state).toMatchObject({ status: 'over', winner: 2 })
    expect(await other.agrees()).toMatchObject({
      status: 'completed',
      outcome: 'walkover',
      games: [{ winner: 1 }],
      sides: [{ result: 'forfeit' }, { result: 'win' }],
    })
  })
})

describe('of a completed match', () => {
  interface Kind {
    readonly title: string
    /** Plays the maps before the correction, and makes the ruling that is corrected later. */
    readonly arrange?: (play: MatchPlay) => Promise<void>
    readonly ask: (play: MatchPlay, body: object, query?: string) => ReturnType<typeof correct>
    readonly row: string
  }
  const kinds: readonly Kind[] = [
    {
      title: 'a score',
      row: 'score_corrected',
      ask: (play, body, query) => correct(play, 3, 1, body, query),
    },
    {
      title: 'a penalty',
      row: 'penalty',
      ask: (play, body, query = '') =>
        api.post(`${play.path}/penalties${query}`, made.referee, {
          seat: 2,
          user: play.player(2),
          game: 3,
          type: 'score_zero',
          reason: 'A banned mod.',
          ...body,
        }),
    },
    {
      title: 'the voiding of a penalty',
      row: 'penalty_voided',
      async arrange(play) {
        await play.penalise({ seat: 1, user: play.player(1), game: 3, type: 'score_zero' })
      },
      ask: (play, body, query = '') =>
        api.post(`${play.path}/penalties/${play.state.seats[0].penalties[0].guid}/void${query}`, made.referee, {
          reason: 'It was the server.',
          ...body,
        }),
    },
  ]

  test.each(kinds)('$title: preview, stale, applied, undone', async ({ arrange, ask, row }) => {
    const play = await played([2, 1])
    if (arrange === undefined) await play.win(2)
    else {
      await arrange(play)
      // The score counts 0, whatever its value.
      await play.win(1)
    }
    expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 2] })
    const [first, second] = (await play.match()).sides.map(({ team }: StateBody) => team.id)
    const before = await places()
    const { position } = play.state
    const preview = await ask(play, {}, '?dryRun=true')
    expect(outcome(preview)).toEqual([200, null])
    expect(preview.body).toMatchObject({ dryRun: true, correctionGuid: null, state: { winner: 2, position } })
    const [affected] = preview.body.affected
    expect([lineOf(affected.before), lineOf(affected.after)].map((line) => line.includes(first))).toEqual([false, true])
    expect(await places()).toEqual(before)
    expect((await play.read()).position).toBe(position)
    const { revision } = preview.body
    for (const [seen, problem] of [
      [undefined, 'match.completed'],
      [revision - 1, 'correction.stale'],
    ]) {
      const refused = await ask(play, { revision: seen })
      expect(outcome(refused)).toEqual([409, problem])
      expect(refused.body.state).toMatchObject({ winner: 2, position })
    }
    const applied = await ask(play, { revision })
    expect(outcome(applied)).toEqual([200, null])
    expect(applied.body).toMatchObject({
      dryRun: false,
      affected: preview.body.affected,
      state: { status: 'over', phase: 'over', winner: 1, scoreline: [2, 1] },
    })
    expect(await play.agrees()).toMatchObject({ status: 'completed', games: [{}, {}, { winner: 1 }] })
    expect(await lineOfNext(play)).toContain(first)
    expect(await lineOfNext(play)).not.toContain(second)
    expect(await play.kinds(position)).toEqual([row, 'finish'])
    const undone = await undo(applied.body.correctionGuid)
    expect(outcome(undone)).toEqual([200, null])
    expect(await places()).toEqual(before)
    await play.agrees()
    expect(play.state).toMatchObject({ status: 'over', phase: 'over', winner: 2, scoreline: [1, 2] })
    const log = await play.log()
    expect(log.slice(position).map(({ kind, undoneBy }) => [kind, undoneBy !== null])).toEqual([
      ...[[row, true] as const, ['finish', true] as const],
      ['undo', false],
    ])
  })

  test('a map is needless by it: only if the later ones may be dropped', async () => {
    const play = await played([2, 1, 2])
    const preview = await correct(play, 2, 2, {}, '?dryRun=true')
    expect(outcome(preview)).toEqual([409, 'game.not_needed'])
    const possible = await correct(play, 2, 2, { dropLater: true }, '?dryRun=true')
    expect(outcome(possible)).toEqual([200, null])
    const before = await places()
    const { revision } = possible.body
    const applied = await correct(play, 2, 2, { dropLater: true, revision })
    expect(outcome(applied)).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({
      status: 'completed',
      sides: [{ score: 0 }, { score: 2 }],
      games: [{}, {}],
    })
    expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [0, 2] })
    expect(outcome(await undo(applied.body.correctionGuid))).toEqual([200, null])
    expect(await places()).toEqual(before)
    expect(await play.agrees()).toMatchObject({ games: [{}, {}, { winner: 2 }] })
    expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 2] })
  })

  test('whose result was told by hand: its maps alone change', async () => {
    const play = await played([1])
    expect(outcome(await made.tell(play.number, { outcome: 'score', scores: [0, 2] }))).toEqual([200, null])
    await play.agrees()
    const { revision } = await made.read()
    expect(outcome(await correct(play, 1, 1, { score: 910_000, revision }))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({
      status: 'completed',
      games: [{ winner: 1, sides: [{ score: 910_000 }, {}] }],
      sides: [{ score: 0 }, { score: 2, result: 'win' }],
    })
    expect(play.state).toMatchObject({ status: 'over', winner: 2 })
  })

  test('whose result was told by hand, for the side that had won: it stays', async () => {
    const play = await played([2, 1, 2])
    const walkover = { outcome: 'walkover', winner: 2 }
    expect(outcome(await made.tell(play.number, { ...walkover, revision: (await made.read()).revision }))).toEqual([
      200,
      null,
    ])
    await play.agrees()
    const { revision } = await made.read()
    expect(outcome(await correct(play, 3, 2, { score: 940_000, revision }))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({
      outcome: 'walkover',
      games: [{}, {}, { sides: [{}, { score: 940_000 }] }],
    })
  })

  test.each([
    ['reopen', { reason: 'A protest.' }],
    ['result', { outcome: 'walkover', winner: 1 }],
  ])('after a correction by hand was undone (%s): as if that had not been', async (operation, body) => {
    const play = await played([2, 1, 2])
    const before = said(play.state)
    const { revision } = await made.read()
    const call = operation === 'result' ? api.put : api.post
    const corrected = await call(`${made.match(play.number)}/${operation}`, made.organiser, { ...body, revision })
    expect(outcome(corrected)).toEqual([200, null])
    await play.agrees()
    expect(outcome(await undo(corrected.body.correctionGuid))).toEqual([200, null])
    await play.agrees()
    expect(said(play.state)).toEqual(before)
    // The last map goes to the other side, which thereby wins the match.
    expect(outcome(await correct(play, 3, 1, { revision: (await made.read()).revision }))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ result: 'win' }, { result: 'loss' }] })
    expect(play.state).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 1] })
  })

  test('whose winner has left since: undecided by its maps, it is the other’s, in the log as well', async () => {
    const play = await played([2, 2])
    const { guid } = (await play.match()).sides[1].team
    const leaving = { reason: 'Ill.', policy: 'walkover' }
    expect(outcome(await api.post(`${made.path}/teams/${guid}/withdraw`, made.organiser, leaving))).toEqual([200, null])
    const applied = await correct(play, 1, 1, { revision: (await made.read()).revision })
    expect(outcome(applied)).toEqual([200, null])
    expect(applied.body.state).toMatchObject({ status: 'over', winner: 1, scoreline: [1, 1] })
    expect(await play.agrees()).toMatchObject({
      outcome: 'walkover',
      sides: [{ result: 'win' }, { result: 'forfeit' }],
    })
    expect(outcome(await undo(applied.body.correctionGuid))).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ outcome: 'score', sides: [{ score: 0 }, { score: 2 }] })
    expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [0, 2] })
  })

  test('whose session was ended before: not by that', async () => {
    const play = await played([1])
    await play.done(made.referee, 'finish', { reason: 'By hand from now on.' })
    expect(outcome(await correct(play, 1, 2))).toEqual([409, 'flow.over'])
    expect(outcome(await made.tell(play.number, { outcome: 'score', scores: [0, 2] }))).toEqual([200, null])
    const { revision } = await made.read()
    expect(outcome(await correct(play, 1, 2, { revision }))).toEqual([409, 'flow.over'])
    expect(await play.match()).toMatchObject({ games: [{ winner: 1 }], sides: [{ score: 0 }, { score: 2 }] })
  })

  test('a forfeit is voided, and given again', async () => {
    const play = await played([1])
    await play.penalise({ seat: 1, type: 'match_forfeit' })
    const { guid } = play.state.seats[0].penalties[0]
    const address = `${play.path}/penalties/${guid}/void`
    const before = await places()
    const preview = await api.post(`${address}?dryRun=true`, made.referee, { reason: 'They came.' })
    expect(outcome(preview)).toEqual([200, null])
    const { revision } = preview.body
    const applied = await api.post(address, made.referee, { reason: 'They came.', revision })
    expect(outcome(applied)).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'running', outcome: null, games: [{ winner: 1 }] })
    expect(play.state).toMatchObject({ status: 'paused', scoreline: [1, 0], winner: null })
    expect(outcome(await undo(applied.body.correctionGuid))).toEqual([200, null])
    expect(await places()).toEqual(before)
    await play.agrees()
    expect(play.state).toMatchObject({ status: 'over', winner: 2 })
    // The log reaches this end by itself, so voiding the penalty again makes the match run again.
    const { revision: seen } = await made.read()
    expect(outcome(await api.post(address, made.referee, { reason: 'They came.', revision: seen }))).toEqual([
      200,
      null,
    ])
    expect(await play.agrees()).toMatchObject({ status: 'running', outcome: null })
  })

  test('a forfeit is voided while a map is open: that is played on', async () => {
    const play = await played([1])
    await play.run({ score: 800_000 })
    await play.penalise({ seat: 1, type: 'match_forfeit' })
    const { guid } = play.state.seats[0].penalties[0]
    const { revision } = await made.read()
    const address = `${play.path}/penalties/${guid}/void`
    expect(outcome(await api.post(address, made.referee, { reason: 'They came.', revision }))).toEqual([200, null])
    await play.agrees()
    await play.done(made.referee, 'clock', { op: 'resume' })
    expect(play.state).toMatchObject({ turn: { action: 'play', game: 2 } })
    await play.run(null, 900_000)
    expect(play.state).toMatchObject({ scoreline: [1, 1], turn: { action: 'play', game: 3 } })
    await play.winAll(1)
  })
})

describe('that makes a match run again', () => {
  async function runsAgain(): Promise<{ play: MatchPlay; guid: string; before: StateBody; position: number }> {
    const play = await played([2, 2])
    const { position, draws } = play.state
    const before = { places: await places(), state: said(play.state), draws }
    const { revision } = (await correct(play, 1, 1, {}, '?dryRun=true')).body
    const applied = await correct(play, 1, 1, { revision })
    expect(outcome(applied)).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'running', games: [{ winner: 1 }, { winner: 2 }] })
    expect(play.state).toMatchObject({ status: 'paused', scoreline: [1, 1], winner: null })
    expect(play.state.draws).toMatchObject({
      seed: null,
      earlier: [{ commitment: draws.commitment, seed: draws.seed }],
    })
    expect(play.state.draws.commitment).not.toBe(draws.commitment)
    return { play, position, before, guid: applied.body.correctionGuid }
  }

  test('paused, with a new commitment; it is played to another end', async () => {
    const { play, position } = await runsAgain()
    expect((await play.kinds(position)).slice(0, 2)).toEqual(['score_corrected', 'reopened'])
    await play.done(made.referee, 'clock', { op: 'resume' })
    expect(play.state).toMatchObject({ status: 'running', turn: { action: 'play', game: 3 } })
    await play.win(1)
    expect(await play.agrees()).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 1 }] })
    expect(play.state.draws.seed).toMatch(/^[0-9a-f]{64}$/)
    expect(play.state.draws.seed).not.toBe(play.state.draws.earlier[0].seed)
  })

  test('and back, at once', async () => {
    const { play, guid, before } = await runsAgain()
    const { draws } = play.state
    expect(outcome(await undo(guid))).toEqual([200, null])
    expect(await places()).toEqual(before.places)
    await play.agrees()
    expect(said(play.state)).toEqual(before.state)
    revealsBoth(play, before.draws, draws)
    expect(play.state).toMatchObject({
      status: 'over',
      phase: 'over',
      winner: 2,
      scoreline: [0, 2],
      turn: null,
      clock: null,
    })
  })

  test('and back, after the session went on', async () => {
    const { play, guid, before } = await runsAgain()
    const { draws } = play.state
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.run(700_000, 700_000)
    expect(outcome(await undo(guid))).toEqual([200, null])
    expect(await places()).toEqual(before.places)
    await play.agrees()
    expect(said(play.state)).toEqual(before.state)
    revealsBoth(play, before.draws, draws)
    expect(play.state).toMatchObject({
      status: 'over',
      phase: 'over',
      winner: 2,
      scoreline: [0, 2],
      turn: null,
      clock: null,
    })
    expect(play.state.games).toHaveLength(2)
  })

  test('the clock of the turn that is up then stands until it is resumed', async () => {
    const play = await begin(timed)
    for (const seat of [2, 2]) {
      await play.done(made.referee, 'act', { action: 'pick', seat: 1, map: play.state.turn.options[0] })
      await play.win(seat)
    }
    const { revision } = (await correct(play, 1, 1, {}, '?dryRun=true')).body
    expect(outcome(await correct(play, 1, 1, { revision }))).toEqual([200, null])
    await play.agrees()
    expect(play.state).toMatchObject({
      status: 'paused',
      turn: { action: 'pick', seats: [1] },
      clock: { seconds: 600, dueAt: null, remainingMs: 600_000 },
    })
    await play.done(made.referee, 'clock', { op: 'resume' })
    expect(Date.parse(play.state.clock.dueAt) - Date.now()).toBeGreaterThan(300_000)
  })

  test('and not back, after another map was played', async () => {
    const { play, guid } = await runsAgain()
    await play.done(made.referee, 'clock', { op: 'resume' })
    await play.win(1)
    expect(outcome(await undo(guid))).toEqual([409, 'correction.overtaken'])
    await play.agrees()
  })
})
