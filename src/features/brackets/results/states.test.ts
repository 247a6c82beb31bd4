import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lineOf, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Which reports a match accepts in each of its states. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Tries every kind of report on a match. */
async function attempts({ match, organiser, tell }: MadeBracket, number: number) {
  const { revision } = (await api.get(match(number), organiser)).body
  const replies = [
    await api.post(`${match(number)}/start`, organiser),
    await api.put(`${match(number)}/games/1`, organiser, { sides: [{ score: 2 }, { score: 1 }] }),
    await tell(number, { outcome: 'score', scores: [2, 1] }),
    await tell(number, { outcome: 'walkover', winner: 1 }, '?dryRun=true'),
    await tell(number, { outcome: 'double_forfeit', revision }),
    await api.post(`${match(number)}/reopen`, organiser, { reason: 'Protest.', revision, dryRun: true }),
  ]
  return [...new Set(replies.map((reply) => outcome(reply).join(' ')))]
}

test('nothing is told of a match whose teams are not both known', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  expect(await attempts(made, 3)).toEqual(['409 match.not_ready'])
  await made.win(1, 'team-4')
  expect(await made.readMatch(3)).toMatchObject({ status: 'waiting' })
  const before = await made.read()
  expect(await attempts(made, 3)).toEqual(['409 match.not_ready'])
  expect(await made.read()).toEqual(before)
})

test('a bye has no result to be told or corrected', async () => {
  const made = await makeBracket(api, { teams: 3, format: 'single_elimination' })
  expect(await made.readMatch(1)).toMatchObject({ status: 'completed', outcome: 'bye', startedAt: null })
  expect(await attempts(made, 1)).toEqual(['409 match.no_opponent'])
})

test('nor has a walkover against nobody, nor a match that nobody comes to', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  await made.tell(1, { outcome: 'double_forfeit' })
  await made.win(2, 'team-4')
  expect(await made.readMatch(5)).toMatchObject({
    status: 'completed',
    outcome: 'walkover',
    startedAt: null,
    sides: [
      { team: null, result: 'forfeit' },
      { team: { id: 'team-4' }, result: 'win' },
    ],
  })
  expect(await attempts(made, 5)).toEqual(['409 match.no_opponent'])
  for (const number of [3, 4]) await made.tell(number, { outcome: 'double_forfeit' })
  expect(await made.readMatch(6)).toMatchObject({ status: 'cancelled', outcome: null })
  expect(await attempts(made, 6)).toEqual(['409 match.cancelled'])
  expect(await made.readMatch(7)).toMatchObject({ status: 'completed', outcome: 'walkover' })
  expect(await made.read()).toMatchObject({ status: 'completed' })
})

test('the reset of a final is cancelled when the team of the upper bracket wins, and played when it does not', async () => {
  const made = await makeBracket(api, { teams: 2, format: 'double_elimination' })
  await made.win(1, 'team-1')
  await made.win(2, 'team-1')
  expect(await made.readMatch(3)).toMatchObject({ status: 'cancelled', conditional: true })
  expect(await attempts(made, 3)).toEqual(['409 match.cancelled'])
  expect((await made.read()).status).toBe('completed')

  const other = await makeBracket(api, { teams: 2, format: 'double_elimination' })
  await other.win(1, 'team-1')
  await other.win(2, 'team-2')
  expect(await other.readMatch(3)).toMatchObject({ status: 'ready', conditional: true })
  expect((await other.read()).status).toBe('running')
  expect(await other.win(3, 'team-2')).toMatchObject({ status: 'completed' })
  expect((await other.read()).status).toBe('completed')
})

test('a tree has no draws, nor has a table that does not allow them', async () => {
  for (const format of ['single_elimination', 'round_robin'] as const) {
    const made = await makeBracket(api, { teams: 2, format })
    expect(outcome(await made.tell(1, { outcome: 'draw' }))).toEqual([400, 'match.draw_not_allowed'])
  }
})

test('nothing is told of a bracket in which a place is free', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const entrants = [{ slot: 4, teamGuid: null }]
  const place = await api.put(`${made.path}/brackets/${made.bracket.guid}/entrants`, made.organiser, { entrants })
  expect(place.body).toMatchObject({ status: 'draft' })
  expect(await attempts(made, 1)).toEqual(['409 bracket.incomplete'])
})

test('nothing is told in a cancelled tournament', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await made.win(1, 'team-1')
  const { revision } = await made.read()
  const corrected = await made.tell(1, { outcome: 'walkover', winner: 2, revision })
  await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [made.cup.guid])
  for (const number of [1, 2, 3]) expect(await attempts(made, number)).toEqual(['409 tournament.cancelled'])
  const undo = await api.post(`${made.path}/corrections/${corrected.body.correctionGuid}/undo`, made.organiser)
  expect(outcome(undo)).toEqual([409, 'tournament.cancelled'])
})

test('a match that was generated anew is another one', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const old = made.bracket.matches[0].guid
  const anew = await api.post(`${made.path}/brackets/${made.bracket.guid}/generate`, made.organiser, {
    entrants: { source: 'registered' },
  })
  expect(anew.status).toBe(200)
  const reply = await api.put(`${made.path}/matches/${old}/result`, made.organiser, { outcome: 'double_forfeit' })
  expect(outcome(reply)).toEqual([404, 'match.unknown'])
})

describe('what follows', () => {
  test('winners and losers go on at once, through byes and forfeits', async () => {
    const made = await makeBracket(api, { teams: 3, format: 'double_elimination' })
    // The first match has a bye; the loser of the second match has no opponent in the first round of the lower bracket.
    const lower = made.bracket.matches.filter(({ section }: { section: string }) => section === 'lower')
    expect(lower.length).toBeGreaterThan(0)
    await made.win(2, 'team-3')
    expect(lineOf(await made.readMatch(3))).toBe('team-1 - : team-3 -')
    await made.win(3, 'team-1')
    const { matches } = await made.read()
    const open = matches.filter(({ status }: { status: string }) => status === 'ready')
    expect(
      open.map(lineOf).map((line: string) =>
        line
          .split(/ - ?:? ?/)
          .filter(Boolean)
          .sort(),
      ),
    ).toEqual([['team-2', 'team-3']])
  })

  test('an answer and a later reading show the same', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { thirdPlace: true } })
    const first = await made.win(1, 'team-4')
    expect(await made.readMatch(1)).toEqual(first)
    await made.win(2, 'team-2')
    expect([lineOf(await made.readMatch(3)), lineOf(await made.readMatch(4))]).toEqual([
      'team-1 - : team-3 -',
      'team-4 - : team-2 -',
    ])
  })
})
