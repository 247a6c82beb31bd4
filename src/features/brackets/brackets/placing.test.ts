import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type Bracket, makeStage, pairs, type Stage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'

/** `teams` is a list of pairs of slot and team number; 0 empties the place. */
const put = (stage: Stage, bracket: Bracket, teams: readonly (readonly [number, number])[]) =>
  api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, {
    entrants: teams.map(([slot, team]) => ({ slot, teamGuid: team === 0 ? null : stage.teams[team - 1]?.guid })),
  })

const places = (bracket: Bracket) =>
  bracket.entrants.map(({ slot, seed, team }: Bracket) => `${slot}:${seed}:${team?.id ?? '-'}`)

/** Slots 1 to 4 hold t1, t4, t2 and t3. */
const four = async () => {
  const stage = await makeStage(api, organiser, { teams: 6 })
  return { stage, bracket: await stage.bracket({ entrants: { source: 'registered', size: 4 } }) }
}

test('who places teams by an old revision is refused, and nothing changes; of two at once one is', async () => {
  const { stage, bracket } = await four()
  const [t1, t2] = stage.teams.map(({ guid }) => guid)
  const swap = (revision: number) =>
    api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, {
      revision,
      entrants: [
        { slot: 1, teamGuid: t2 },
        { slot: 3, teamGuid: t1 },
      ],
    })
  expect(outcome(await swap(bracket.revision + 1))).toEqual([409, 'bracket.stale'])
  expect(places(await stage.read(bracket))).toEqual(places(bracket))
  const both = await Promise.all([swap(bracket.revision), swap(bracket.revision)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(places(await stage.read(bracket))).toEqual(['1:1:t2', '2:4:t4', '3:2:t1', '4:3:t3'])
})

test('teams change places; seeds stay with the places', async () => {
  const { stage, bracket } = await four()
  const reply = await put(stage, bracket, [
    [1, 2],
    [3, 1],
  ])
  expect(reply.status).toBe(200)
  expect(places(reply.body)).toEqual(['1:1:t2', '2:4:t4', '3:2:t1', '4:3:t3'])
  expect(pairs(reply.body.matches)).toEqual(['t2 t4', 't1 t3', '- -'])
  expect(reply.body).toMatchObject({ status: 'ready', revision: 2 })
  expect(await stage.read(bracket)).toEqual(reply.body)
  const [event] = await api.sql(
    'select type, subject, before, after from event_log where tournament = $1 order by seq desc limit 1',
    [stage.cup.guid],
  )
  const [t1, t2] = stage.teams.map(({ guid }) => guid)
  expect(event).toEqual({
    type: 'bracket.entrants_placed',
    subject: bracket.guid,
    before: {
      entrants: [
        { slot: 1, teamGuid: t1 },
        { slot: 3, teamGuid: t2 },
      ],
    },
    after: {
      entrants: [
        { slot: 1, teamGuid: t2 },
        { slot: 3, teamGuid: t1 },
      ],
      changed: 2,
    },
  })
})

test('a new team takes a place, by its GUID in any case', async () => {
  const { stage, bracket } = await four()
  const { body } = await api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, {
    entrants: [{ slot: 2, teamGuid: stage.teams[5]?.guid.toUpperCase() }],
  })
  expect(pairs(body.matches)).toEqual(['t1 t6', 't2 t3', '- -'])
})

test('an emptied place makes a draft, in which nothing is played; filling it makes it ready', async () => {
  const { stage, bracket } = await four()
  const { body: draft } = await put(stage, bracket, [[2, 0]])
  expect(draft.status).toBe('draft')
  expect(pairs(draft.matches)).toEqual(['t1 -', 't2 t3', '- -'])
  expect(draft.matches.map(({ status }: Bracket) => status)).toEqual(['waiting', 'ready', 'locked'])
  const start = await api.post(`${stage.path}/matches/${draft.matches[1].guid}/start`, organiser)
  expect(outcome(start)).toEqual([409, 'bracket.incomplete'])
  const { body: ready } = await put(stage, bracket, [[2, 5]])
  expect([ready.status, ...pairs(ready.matches)]).toEqual(['ready', 't1 t5', 't2 t3', '- -'])
})

test('who has a bye is in the next match at once', async () => {
  const stage = await makeStage(api, organiser, { teams: 5 })
  const bracket = await stage.bracket({ format: 'double_elimination', entrants: { source: 'registered', size: 3 } })
  expect(pairs(bracket.matches).slice(0, 3)).toEqual(['t1 bye', 't2 t3', 't1 -'])
  const { body } = await put(stage, bracket, [[1, 5]])
  expect(pairs(body.matches).slice(0, 3)).toEqual(['t5 bye', 't2 t3', 't5 -'])
  expect(body.matches[0]).toMatchObject({ status: 'completed', outcome: 'bye' })
  const { body: empty } = await put(stage, bracket, [[1, 0]])
  expect(pairs(empty.matches).slice(0, 3)).toEqual(['- bye', 't2 t3', '- -'])
  expect(empty.matches[0]).toMatchObject({ status: 'locked', outcome: null, completedAt: null })
})

test('groups and Swiss rounds follow', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const swap = [
    [1, 4],
    [4, 1],
  ] as const
  const groups = await stage.bracket({ format: 'round_robin', settings: { groups: 2 } })
  expect(pairs(groups.matches)).toEqual(['t1 t4', 't2 t3'])
  const { body } = await put(stage, groups, [
    [1, 2],
    [2, 1],
  ])
  expect(pairs(body.matches)).toEqual(['t2 t4', 't1 t3'])
  expect(body.standings.map(({ groupIndex, team }: Bracket) => [groupIndex, team.id]).sort()).toEqual([
    [0, 't2'],
    [0, 't4'],
    [1, 't1'],
    [1, 't3'],
  ])
  const swiss = await stage.bracket({ format: 'swiss' })
  expect(pairs(swiss.matches)).toEqual(['t1 t3', 't2 t4'])
  expect(pairs((await put(stage, swiss, swap)).body.matches)).toEqual(['t4 t3', 't2 t1'])
})

test('what holds already changes nothing', async () => {
  const { stage, bracket } = await four()
  const events = async () => (await api.sql('select from event_log where tournament = $1', [stage.cup.guid])).length
  const before = await events()
  expect((await put(stage, bracket, [[1, 1]])).body).toEqual(bracket)
  expect(await events()).toBe(before)
})

test('a team that has left and is back plays on from its place', async () => {
  const { stage, bracket } = await four()
  await api.sql(`update bracket_entrants set withdrawal = 'walkover' where bracket_guid = $1 and slot = 1`, [
    bracket.guid,
  ])
  await api.sql(`update teams set status = 'unregistered' where guid = $1`, [stage.teams[0]?.guid])
  expect(outcome(await put(stage, bracket, [[1, 1]]))).toEqual([409, 'team.not_registered'])
  // Other teams can be placed next to the withdrawn team, and they win its match.
  const { body: around } = await put(stage, bracket, [[2, 5]])
  expect(around.matches[0]).toMatchObject({ status: 'completed', outcome: 'walkover' })
  expect(pairs(around.matches)).toEqual(['t1 t5', 't2 t3', 't5 -'])
  expect(around.entrants[0].withdrawal).toBe('walkover')
  await api.sql(`update teams set status = 'registered' where guid = $1`, [stage.teams[0]?.guid])
  const { body: back } = await put(stage, bracket, [[1, 1]])
  expect(back.entrants[0].withdrawal).toBeNull()
  expect(back.matches[0]).toMatchObject({ status: 'ready', outcome: null })
  expect(pairs(back.matches)).toEqual(['t1 t5', 't2 t3', '- -'])
})

describe('refused', () => {
  test('once a match was begun', async () => {
    const { stage, bracket } = await four()
    await win(api, stage, bracket.matches[1], 1)
    expect(outcome(await put(stage, bracket, [[1, 5]]))).toEqual([409, 'bracket.played'])
    expect(pairs((await stage.read(bracket)).matches)).toEqual(['t1 t4', 't2 t3', '- t2'])
  })

  test('teams that stand elsewhere in it, are not registered or not there', async () => {
    const { stage, bracket } = await four()
    const put1 = (teamGuid: unknown) =>
      api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, { entrants: [{ slot: 1, teamGuid }] })
    expect(outcome(await put(stage, bracket, [[1, 2]]))).toEqual([400, 'bracket.entrants_invalid'])
    expect(
      outcome(
        await put(stage, bracket, [
          [1, 5],
          [2, 5],
        ]),
      ),
    ).toEqual([400, 'bracket.entrants_invalid'])
    await api.sql(`update teams set status = 'unregistered' where guid = $1`, [stage.teams[4]?.guid])
    expect(outcome(await put(stage, bracket, [[1, 5]]))).toEqual([409, 'team.not_registered'])
    expect(outcome(await put1(unknownGuid))).toEqual([404, 'team.unknown'])
    const elsewhere = await makeStage(api, organiser, { teams: 1 })
    expect(outcome(await put1(elsewhere.teams[0]?.guid))).toEqual([404, 'team.unknown'])
    expect(outcome(await put1('t1'))).toEqual([400, 'request.invalid'])
    expect(await stage.read(bracket)).toEqual(bracket)
  })

  test('places that are not there, or named twice', async () => {
    const { stage, bracket } = await four()
    expect(outcome(await put(stage, bracket, [[5, 5]]))).toEqual([404, 'slot.unknown'])
    expect(
      outcome(
        await put(stage, bracket, [
          [1, 5],
          [1, 6],
        ]),
      ),
    ).toEqual([400, 'bracket.entrants_invalid'])
  })

  test.each([
    ['no list', {}],
    ['an empty list', { entrants: [] }],
    ['slot 0', { entrants: [{ slot: 0, teamGuid: null }] }],
    ['half a slot', { entrants: [{ slot: 1.5, teamGuid: null }] }],
    ['no team', { entrants: [{ slot: 1 }] }],
    ['a text', { entrants: ['1'] }],
  ])('%s', async (_what, body) => {
    const { stage, bracket } = await four()
    const reply = await api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, body)
    expect(outcome(reply)).toEqual([400, 'request.invalid'])
  })
})
