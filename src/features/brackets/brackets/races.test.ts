import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type Bracket, type Match, makeStage, playOut, win } from '../../../../test/stage.ts'

/** Rules that hold for any number of concurrent callers and processes. */

let api: Harness
let sibling: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const either = (at: number) => (at % 2 === 0 ? api : sibling)
const times = <T>(count: number, act: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => act(at)))

/** The number of replies for each outcome. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, headers } of replies) {
    const outcome = [status, headers.get('problem-code')].filter((part) => part !== null).join(' ')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const all = { entrants: { source: 'registered' } }

test('brackets that are made at once share no match number and no place in the list', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const replies = await times(8, (at) =>
    either(at).post(`${stage.path}/divisions/a/brackets`, organiser, {
      name: `B${at}`,
      format: 'single_elimination',
      ...all,
    }),
  )
  expect(tally(replies)).toEqual({ 201: 8 })
  const numbers = replies.flatMap(({ body }) => body.matches.map(({ number }: Match) => number))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1))
  expect(replies.map(({ body }) => body.order).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('of generations at once each is whole, and the last one stays', async () => {
  const stage = await makeStage(api, organiser, { teams: 5 })
  const bracket = await stage.bracket()
  const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss']
  const replies = await times(8, (at) =>
    either(at).post(`${stage.path}/brackets/${bracket.guid}/generate`, organiser, { format: formats[at % 4], ...all }),
  )
  expect(tally(replies)).toEqual({ 200: 8 })
  expect(replies.map(({ body }) => body.revision).toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  const last = replies.find(({ body }) => body.revision === 9)
  expect(await stage.read(bracket)).toEqual(last?.body)
  expect(await api.sql('select from matches where bracket_guid = $1', [bracket.guid])).toHaveLength(
    last?.body.matches.length,
  )
  expect(await api.sql('select from bracket_entrants where bracket_guid = $1', [bracket.guid])).toHaveLength(5)
})

test('teams are placed before a match begins or not at all', async () => {
  for (let round = 0; round < 6; round += 1) {
    const stage = await makeStage(api, organiser, { teams: 5 })
    const bracket = await stage.bracket({ entrants: { source: 'registered', size: 4 } })
    const [placed, started] = await Promise.all([
      sibling.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, {
        entrants: [{ slot: 1, teamGuid: stage.teams[4]?.guid }],
      }),
      api.post(`${stage.path}/matches/${bracket.matches[0].guid}/start`, organiser),
    ])
    expect(started.status).toBe(200)
    const now = await stage.read(bracket)
    const there = now.matches[0].sides[0].team.id
    expect([placed.status, placed.headers.get('problem-code'), there]).toEqual(
      placed.status === 200 ? [200, null, 't5'] : [409, 'bracket.played', 't1'],
    )
    expect(started.body.sides[0].team.id).toBe(there)
    expect(now).toMatchObject({ status: 'running', revision: placed.status === 200 ? 3 : 2 })
  }
})

test('of many who pair the next round at once, one does', async () => {
  const stage = await makeStage(api, organiser, { teams: 6 })
  const bracket = await stage.bracket({ format: 'swiss' })
  await playOut(api, stage, bracket)
  const replies = await times(8, (at) => either(at).post(`${stage.path}/brackets/${bracket.guid}/rounds`, organiser))
  expect(tally(replies)).toEqual({ 201: 1, '409 bracket.round_open': 7 })
  expect((await stage.read(bracket)).matches).toHaveLength(6)
})

test('a result and a deletion of its bracket: one comes first, and what was played stays', async () => {
  for (let round = 0; round < 6; round += 1) {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket()
    const [removed, reported] = await Promise.all([
      sibling.delete(`${stage.path}/brackets/${bracket.guid}`, organiser),
      api.put(`${stage.path}/matches/${bracket.matches[0].guid}/result`, organiser, {
        outcome: 'score',
        winner: 1,
        scores: [2, 0],
      }),
    ])
    expect([
      [204, 404],
      [409, 200],
    ]).toContainEqual([removed.status, reported.status])
    expect((await api.get(`${stage.path}/brackets/${bracket.guid}`)).status).toBe(removed.status === 204 ? 404 : 200)
  }
})

test('a division is deleted or played in', async () => {
  for (let round = 0; round < 6; round += 1) {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket()
    const [removed, started] = await Promise.all([
      sibling.delete(`${stage.path}/divisions/a`, organiser),
      api.post(`${stage.path}/matches/${bracket.matches[0].guid}/start`, organiser),
    ])
    expect([
      [204, 404],
      [409, 200],
    ]).toContainEqual([removed.status, started.status])
  }
})

test('a team is deleted or enters the bracket', async () => {
  for (let round = 0; round < 6; round += 1) {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const [removed, made] = await Promise.all([
      sibling.delete(`${stage.path}/teams`, organiser, { teamGuid: stage.teams[2]?.guid }),
      api.post(`${stage.path}/divisions/a/brackets`, organiser, { name: 'B', format: 'swiss', ...all }),
    ])
    expect(made.status).toBe(201)
    const ids = made.body.entrants.map(({ team }: Bracket) => team.id)
    expect([removed.status, ids.includes('t3')]).toEqual(removed.status === 200 ? [200, false] : [409, true])
  }
})

test('a bracket that takes its teams from one that is corrected meanwhile takes whole standings', async () => {
  const stage = await makeStage(api, organiser, { teams: 2 })
  const source = await stage.bracket()
  await win(api, stage, source.matches[0], 1)
  const { revision } = await stage.read(source)
  const from = { source: 'bracket', from: { bracketGuid: source.guid, places: [1, 2] } }
  const [made, reopened] = await Promise.all([
    sibling.post(`${stage.path}/divisions/a/brackets`, organiser, {
      name: 'Next',
      format: 'single_elimination',
      entrants: from,
    }),
    api.post(`${stage.path}/matches/${source.matches[0].guid}/reopen`, organiser, { reason: 'wrong', revision }),
  ])
  expect(reopened.status).toBe(200)
  if (made.status === 409) expect(made.headers.get('problem-code')).toBe('bracket.not_completed')
  else expect([made.status, made.body.entrants[0].team.id]).toEqual([201, 't1'])
})
