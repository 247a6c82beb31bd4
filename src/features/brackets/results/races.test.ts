import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BracketBody,
  deadlocks,
  lastEvent,
  type MadeBracket,
  makeBracket,
  playOut,
  resultOf,
  substanceOf,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

/** Concurrent requests to two processes. */

let api: Harness
let sibling: Harness
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const either = (index: number) => (index % 2 === 0 ? api : sibling)
const outcome = ({ status, headers }: Reply) => [status, headers.get('problem-code')].filter(Boolean).join(' ')
const tally = (replies: readonly Reply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, outcome)].map(([key, group]) => [key, group.length]).sort() as [string, number][],
  )

describe('two referees', () => {
  let made: MadeBracket
  let referees: readonly Caller[]
  beforeAll(async () => {
    made = await makeBracket(api, { teams: 10, format: 'round_robin' })
    referees = await Promise.all([0, 1].map(() => roleHolder(api, made.cup, 'role:referee')))
  })
  const put = (index: number, path: string, body: object) => either(index).put(path, referees[index] as Caller, body)

  test('who report different results of one match: one of them wins, the other is told what holds', async () => {
    for (let number = 1; number <= 20; number += 1) {
      const replies = await Promise.all(
        [0, 1].map((index) =>
          put(index, `${made.match(number)}/result`, {
            outcome: 'score',
            winner: index + 1,
            scores: index === 0 ? [2, 0] : [1, 2],
          }),
        ),
      )
      const [won, lost] = replies.toSorted((one, other) => one.status - other.status)
      expect([won?.status, lost && outcome(lost)]).toEqual([200, '409 match.completed'])
      expect(lost?.body.match).toEqual(won?.body)
      expect(await made.readMatch(number)).toEqual(won?.body)
    }
    const rows = await api.sql(
      `select subject from event_log where type = 'match.completed' and tournament = $1 group by subject having count(*) > 1`,
      [made.cup.guid],
    )
    expect(rows).toEqual([])
  })

  test('who report different first maps: one of them wins; the same map is told twice without harm', async () => {
    for (let number = 21; number <= 30; number += 1) {
      const path = `${made.match(number)}/games/1`
      const replies = await Promise.all(
        [0, 1].map((index) => put(index, path, { sides: [{ score: 5 }, { score: 5 }], winner: index + 1 })),
      )
      expect(tally(replies)).toEqual({ 200: 1, '409 game.reported': 1 })
      const won = replies.findIndex(({ status }) => status === 200)
      expect((await made.readMatch(number)).games).toMatchObject([{ number: 1, winner: won + 1 }])
      const same = await Promise.all(
        [0, 1].map((index) => put(index, `${made.match(number)}/games/2`, { sides: [{ score: 1 }, { score: 1 }] })),
      )
      expect(tally(same)).toEqual({ 200: 2 })
      expect((await made.readMatch(number)).games).toHaveLength(2)
    }
  })

  test('who begin a match: one of them does', async () => {
    const starts = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((index) => either(index).post(`${made.match(31)}/start`, referees[index] as Caller)),
    )
    expect(tally(starts)).toEqual({ 200: 1, '409 match.running': 5 })
  })

  test('who correct a result from the same preview: one of them does', async () => {
    for (const number of [1, 2, 3]) {
      const { revision } = await made.read()
      const replies = await Promise.all(
        [0, 1].map((index) =>
          put(index, `${made.match(number)}/result`, { outcome: 'walkover', winner: index + 1, revision }),
        ),
      )
      expect(tally(replies)).toEqual({ 200: 1, '409 correction.stale': 1 })
      const guid = replies.find(({ status }) => status === 200)?.body.correctionGuid
      const undos = await Promise.all(
        [0, 1, 0, 1].map((index) =>
          either(index).post(`${made.path}/corrections/${guid}/undo`, referees[index] as Caller),
        ),
      )
      expect(tally(undos)).toEqual({ 200: 1, '409 correction.undone': 3 })
    }
  })
})

test('a result against a team that leaves at the same moment: it counts, or is told of the walkover', async () => {
  for (let round = 0; round < 6; round += 1) {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const [reported, left] = await Promise.all([
      either(round).put(`${made.match(1)}/result`, made.organiser, { outcome: 'score', scores: [2, 0] }),
      either(round + 1).post(`${made.path}/teams/team-1/withdraw`, made.captains[0] as Caller, {
        reason: 'Ill',
        policy: 'walkover',
      }),
    ])
    expect(left.status).toBe(200)
    const match = await made.readMatch(1)
    if (reported.status === 200) expect([match.outcome, match.sides[0].result]).toEqual(['score', 'win'])
    else {
      expect(outcome(reported)).toBe('409 match.completed')
      expect([match.outcome, match.sides[0].result]).toEqual(['walkover', 'forfeit'])
      expect(reported.body.match).toEqual(match)
    }
  }
})

test('teams that leave, results, notes and corrections of a completed tournament do not wait for each other in a circle', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'round_robin' })
  const others = made.teams.slice(0, 6).map((_, index) =>
    either(index).post(`${made.path}/teams/team-${index + 1}/withdraw`, made.organiser, {
      reason: 'Ill',
      policy: index % 2 === 0 ? 'void' : 'walkover',
    }),
  )
  const results = made.bracket.matches.map((match: BracketBody, index: number) =>
    index % 3 === 0
      ? either(index).patch(made.match(match.number), made.organiser, { notes: `Note ${index}` })
      : either(index).put(`${made.match(match.number)}/result`, made.organiser, resultOf(match)),
  )
  const replies = await Promise.all([...others, ...results])
  const codes = Object.keys(tally(replies))
  expect(codes.filter((code) => code !== '200' && code !== '409 match.completed')).toEqual([])
  await playOut([api, sibling], made, 8)
  const end = await made.read()
  expect(end.status).toBe('completed')
  await api.post(`${made.path}/status`, made.organiser, { status: 'completed' })
  const corrections = await Promise.all(
    end.matches.slice(0, 6).map(({ number }: BracketBody, index: number) =>
      either(index).put(`${made.match(number)}/result`, made.organiser, {
        outcome: 'walkover',
        winner: 1,
        revision: end.revision,
      }),
    ),
  )
  expect(tally(corrections)).toEqual({ 200: 1, '409 correction.stale': 5 })
})

test('the log has what happened, in the order in which it did', async () => {
  const made = await makeBracket(api, { teams: 6, format: 'round_robin' })
  const seq = await lastEvent(api)
  const end = await playOut([api, sibling], made, 15)
  const rows = await api.sql<{ number: number }>(
    `select (after->>'number')::int as number from event_log
     where type = 'match.completed' and tournament = $1 and seq > $2 order by seq`,
    [made.cup.guid, seq],
  )
  expect(rows.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
    end.matches.map(({ number }: BracketBody) => number),
  )
  expect(substanceOf(await made.read())).toEqual(substanceOf(end))
})

test('in all of this nobody waited in a circle', async () => {
  expect(await deadlocks(api)).toBe(0)
})
