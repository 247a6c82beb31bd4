import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePlay, makeFlow } from '../../../../test/flow-free.ts'
import { type FlowPlay, type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { until } from '../../../../test/waiting.ts'
import { flowSessionsOperations } from '../flowSessions/routes.ts'
import { actingOperations } from './routes/acting.ts'
import { beginningOperations } from './routes/beginning.ts'
import { refereeingOperations } from './routes/refereeing.ts'

/** Seats with a name and no team: they get the same decisions as other seats, and are shown without a user. (D82) */

let api: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 9 })
})
afterAll(() => api[Symbol.asyncDispose]())

const operations = [...flowSessionsOperations, ...actingOperations, ...beginningOperations, ...refereeingOperations]
const validators = new Map<string, Validator>()

/** Checks that the reply, refusals included, matches the schema of its operation and names no seat as a user. */
function described(name: string, reply: Reply): Reply {
  const operation = operations.find((each) => each.name === `flowSessions.${name}`)
  const schemas: Readonly<Record<number, TSchema>> = {
    ...operation?.reply,
    ...(operation !== undefined && 'refusals' in operation ? operation.refusals : {}),
  }
  const key = `${name} ${reply.status}`
  const schema = schemas[reply.status]
  if (schema === undefined) throw new Error(`${key} is in no record: ${reply.text.slice(0, 500)}`)
  const validator = validators.get(key) ?? Compile(schema)
  validators.set(key, validator)
  if (!validator.Check(reply.body)) {
    expect.fail(`${key}: ${JSON.stringify(validator.Errors(reply.body)).slice(0, 2_000)}`)
  }
  expect(reply.text, key).not.toMatch(/"seat:\d/)
  return reply
}

const reason = 'So it is.'
const replayed = { rule: 'better_of_each', perMatch: 2, perMap: 2, by: 'player', windowSeconds: 3_600 }
const steps = [
  { action: 'lineup', actor: 'all' },
  { repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] },
]

/** A session with a team in the first seat and a name in the second. */
async function begin(rules: object = {}): Promise<FlowPlay> {
  const flow = await makeFlow(api, made, {
    seats: 2,
    bestOf: 5,
    pairs: [],
    steps,
    rules: { replays: replayed, timeouts: { count: 1, seconds: 60 }, ...rules },
  })
  const play = await freePlay(api, made, { flow, seats: [{ teamGuid: made.teams[0]?.guid }, { name: 'Blue' }] })
  return play
}

test('every reply that tells of one is what its record says: claims, penalties, scores, line-ups, the log and the topics', async () => {
  const play = await begin()
  const topic = play.path
  const watchers = await Promise.all(
    [made.referee, null].map(async (as) => {
      const socket = await openSocket(api, { as })
      expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ type: 'snapshot' })
      return { as, socket }
    }),
  )
  /** Every read of the session by every watcher. */
  const read = async () => {
    for (const { as, socket } of watchers) {
      const state = described('read', await api.get(topic, as))
      described('log', await api.get(`${topic}/log?limit=500`, as))
      described('list', await api.get(`${made.path}/flow-sessions`, as))
      // The socket follows only this topic.
      const copy = () => [...socket.copies.all.values()][0]
      await until(() => copy()?.etag === state.headers.get('etag'))
      expect(copy()?.body).toEqual(state.body)
      expect(JSON.stringify(socket.copies.packets)).not.toMatch(/"seat:\d/)
    }
  }
  const by =
    (as: Caller) =>
    async (name: string, operation: string, body: object, expected: unknown[] = [200, null]) => {
      const reply = described(name, await play.call(as, operation, body))
      expect(outcome(reply), `${name} ${reply.text.slice(0, 500)}`).toEqual(expected)
      await read()
      return play.state as StateBody
    }
  const done = by(made.referee)
  const blue = { user: null, seat: 2, name: 'Blue' }
  const player = play.player(1)
  const scores = (first: number, second: number) =>
    done('reportScores', 'scores', {
      scores: [
        { user: player, score: first, accuracy: 0.9 },
        { seat: 2, score: second, accuracy: 1.02 },
      ],
    })
  const pick = () => done('act', 'act', { action: 'pick', map: play.state.turn.options[0] })

  expect(play.state.turn).toMatchObject({ action: 'lineup', seats: [1, 2], options: [player] })
  await done('act', 'act', { action: 'lineup', seat: 2, users: [player] }, [409, 'lineup.invalid'])
  await done('act', 'act', { action: 'lineup', seat: 2 })
  expect(await done('act', 'act', { action: 'lineup', seat: 1, users: [player] })).toMatchObject({
    seats: [{ lineup: [player] }, { name: 'Blue', team: null, lineup: [null] }],
  })
  await done('act', 'act', { action: 'present', seat: 2 })

  await pick()
  await scores(900_000, 800_000)
  expect(play.state).toMatchObject({ phase: 'window', turn: { seats: [2], accepted: [] } })
  await done('setClock', 'clock', { op: 'timeout', seat: 2 })
  const [claim] = (await done('claim', 'claims', { seat: 2, reason })).claims
  expect(claim).toMatchObject({ ...blue, status: 'open' })
  // While the claim is open, the referee's other decisions still work.
  const [{ penalties: warned }] = (
    await done('penalise', 'penalties', { seat: 2, type: 'warning', reason })
  ).seats.slice(1)
  expect(warned).toMatchObject([{ ...blue, type: 'warning' }])
  const reported = play.state.games[0].chains[0][0].scores
  expect(reported).toMatchObject([
    { user: player, seat: 1, name: null },
    { ...blue, score: 800_000 },
  ])
  const corrected = described(
    'correctScore',
    await api.patch(`${play.path}/scores/${reported[1].guid}`, made.referee, { score: 810_000, reason }),
  )
  expect(outcome(corrected)).toEqual([200, null])
  await play.read()
  await read()
  await done('cancelClaim', `claims/${claim.guid}/cancel`, {})
  await done('claim', 'claims', { seat: 1 }, [409, 'claim.not_entitled'])
  await done('claim', 'claims', { seat: 2 })
  await scores(700_000, 950_000)
  expect(play.state).toMatchObject({
    phase: 'window',
    turn: { seats: [1] },
    claims: [{}, { ...blue, status: 'played' }],
  })
  await done('act', 'act', { action: 'accept', seat: 1 })
  expect(play.state.games[0]).toMatchObject({
    phase: 'final',
    winner: 2,
    sides: [{}, { score: 950_000, accuracy: 1.02 }],
  })
  await done('undo', 'undo', {})
  await done('claim', 'claims', { kind: 'technical', seats: [2], reason })
  await done('reportScores', 'scores', {
    scores: [
      { seat: 2, score: 960_000 },
      { seat: 2, score: 1 },
    ],
  })
  const second = play.state.warnings.find(({ code }: StateBody) => code === 'second_report')
  expect([play.state.stuck, second]).toMatchObject(['blocked', blue])
  await done('override', 'override', { op: 'dismiss', warning: second.guid, reason })

  // Every penalty for a player can be given to such a seat, without a user.
  for (const type of ['score_zero', 'exclude', 'lose_replays', 'lose_timeouts', 'lose_bans', 'lose_protects']) {
    const { penalties } = (await done('penalise', 'penalties', { seat: 2, type, reason })).seats[1]
    const given = penalties.at(-1)
    expect(given).toMatchObject({ ...blue, type })
    if (type === 'score_zero') expect(play.state.games[0]).toMatchObject({ totals: [900_000, 0], provisional: 1 })
    await done('voidPenalty', `penalties/${given.guid}/void`, { reason })
  }
  const far = { scores: [{ seat: 2, score: 1, accuracy: 2.01 }] }
  expect(outcome(await play.call(made.referee, 'scores', far))).toEqual([400, 'request.invalid'])
  const seat = { seat: 1, type: 'score_zero', reason }
  expect(outcome(await play.call(made.referee, 'penalties', seat))).toEqual([400, 'penalty.invalid'])
  const guest = await api.user()
  await done('override', 'override', { op: 'speakers', seat: 2, users: [guest.guid], reason })
  await by(guest)('act', 'act', { action: 'present' })
  for (const seat of play.state.turn.seats) await done('act', 'act', { action: 'accept', seat })
  await pick()
  await done('penalise', 'penalties', { seat: 2, type: 'exclude', reason })
  await done('reportScores', 'scores', {
    scores: [
      { user: player, score: 1 },
      { seat: 2, score: 2 },
    ],
  })
  await done('override', 'override', { op: 'award_map', winner: 2, reason, game: 2 })
  await done('finish', 'finish', { reason })
  const { body: log } = await api.get(`${topic}/log?limit=500`)
  const data = (kind: string) =>
    log.rows.filter((row: StateBody) => row.kind === kind).map((row: StateBody) => row.data)
  expect(data('lineup')).toMatchObject([{ users: [null] }, { users: [player] }])
  expect(data('claim')).toMatchObject([{ claim: blue }, { claim: blue }])
  expect(data('claim_cancelled')).toMatchObject([{ claim: blue }])
  expect(data('scores')[0].scores).toMatchObject([{ user: player }, blue])
  expect(data('penalty').map(({ penalty }: StateBody) => penalty)).toMatchObject(Array(8).fill(blue))
  for (const { socket } of watchers) await socket.close()
})

test('the same is claimed by teams of replays, and begun anew', async () => {
  const play = await begin({ replays: { ...replayed, by: 'team' } })
  const anew = described('restart', await play.call(made.referee, 'restart', { reason }))
  expect(outcome(anew)).toEqual([200, null])
  await play.call(made.referee, 'act', { action: 'lineup', seat: 2 })
  await play.call(made.referee, 'act', { action: 'lineup', seat: 1, users: [play.player(1)] })
  await play.call(made.referee, 'act', { action: 'pick', map: play.state.turn.options[0] })
  await play.call(made.referee, 'scores', {
    scores: [
      { user: play.player(1), score: 2 },
      { seat: 2, score: 1 },
    ],
  })
  const claimed = described('claim', await play.call(made.referee, 'claims', { seat: 2 }))
  expect(claimed.body).toMatchObject({
    claims: [{ user: null, seat: 2, name: 'Blue' }],
    seats: [{}, { replaysLeft: 1 }],
  })
})
