import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addBracket,
  type BracketBody,
  eventsSince,
  lastEvent,
  lineOf,
  type MadeBracket,
  makeBracket,
  substanceOf,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { remembered, roleHolder } from '../../../../test/make.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const leave = (made: MadeBracket, seed: number, policy = 'walkover', as: Caller | null = made.organiser) =>
  api.post(`${made.path}/teams/team-${seed}/withdraw`, as, { reason: 'Ill', policy })
const resultsOf = ({ outcome: ended, sides }: BracketBody) => [ended, ...sides.map(({ result }: BracketBody) => result)]

describe('who may withdraw a team', () => {
  test('its captain and the organiser’s side, and nobody else', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const referee = await roleHolder(api, made.cup, 'role:referee')
    for (const user of [referee, made.captains[1] as Caller]) {
      expect(outcome(await leave(made, 1, 'walkover', user))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await leave(made, 1, 'walkover', null))).toEqual([401, 'token.missing'])
    expect((await made.read()).entrants.map(({ withdrawal }: BracketBody) => withdrawal)).toEqual(Array(4).fill(null))
    expect((await leave(made, 1, 'walkover', made.captains[0])).status).toBe(200)
    expect((await leave(made, 2, 'walkover', await roleHolder(api, made.cup, 'role:admin'))).status).toBe(200)
    expect(outcome(await leave(made, 1))).toEqual([409, 'team.withdrawn'])
  })
})

describe('in a tree', () => {
  test('open matches are walkovers at once, and later ones as soon as the other team comes', async () => {
    const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
    await made.win(1, 'team-1')
    const before = await made.read()
    const seq = await lastEvent(api)
    await remembered(api, made.match(5))
    const reply = await leave(made, 1)
    expect([reply.status, reply.body]).toMatchObject([200, { status: 'unregistered', members: [{ isActive: false }] }])
    const after = await made.read()
    expect(after.revision).toBe(before.revision + 1)
    expect(after.matches.slice(0, 4)).toEqual(before.matches.slice(0, 4))
    expect(after.matches[4]).toMatchObject({ status: 'waiting', sides: [{ team: { id: 'team-1' } }, {}] })
    expect(after.entrants.map(({ team, withdrawal }: BracketBody) => [team.id, withdrawal])).toContainEqual([
      'team-1',
      'walkover',
    ])
    // The withdrawn team keeps its place in the tree, and its opponent advances.
    await made.win(2, 'team-5')
    const match = (await api.get(made.match(5))).body
    expect([match.status, match.startedAt, ...resultsOf(match)]).toEqual([
      ...['completed', null, 'walkover', 'forfeit', 'win'],
    ])
    expect(lineOf(await made.readMatch(7))).toBe('team-5 - : - -')
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      { type: 'team.withdrawn', before: { status: 'registered', seed: 1 }, after: { reason: 'Ill' } },
      {
        type: 'bracket.team_withdrawn',
        subject: made.bracket.guid,
        actor: made.organiser.guid,
        after: { teamGuid: made.teams[0]?.guid, policy: 'walkover', matches: [] },
      },
      { type: 'match.completed', after: { number: 2, altered: [5, 7] } },
    ])
  })

  test('a running match goes to the other team, with what was played of it', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
    await api.put(`${made.match(1)}/games/1`, made.organiser, { sides: [{ score: 2 }, { score: 1 }] })
    await leave(made, 1)
    const match = await made.readMatch(1)
    expect(resultsOf(match)).toEqual(['walkover', 'forfeit', 'win'])
    expect(match).toMatchObject({ status: 'completed', games: [{ winner: 1 }] })
    // The withdrawn team drops into the lower bracket, where its opponent advances.
    await made.win(2, 'team-2')
    const { matches, standings } = await made.read()
    expect(matches.filter((each: BracketBody) => each.outcome === 'walkover')).toHaveLength(2)
    expect(standings.at(-1).team.id).toBe('team-1')
  })

  test('a walkover stands when its winner leaves later; nobody goes on from a match that two who left come to', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    await made.win(1, 'team-1')
    await leave(made, 1)
    await leave(made, 2)
    expect(resultsOf(await made.readMatch(2))).toEqual(['walkover', 'forfeit', 'win'])
    expect(resultsOf(await made.readMatch(3))).toEqual(['walkover', 'forfeit', 'win'])
    const over = await made.read()
    expect(over.status).toBe('completed')
    await leave(made, 3)
    const { revision, ...left } = await made.read()
    expect([left.matches, left.standings, revision]).toEqual([over.matches, over.standings, over.revision + 1])
    // A correction says that team 2 had won before it left.
    expect((await made.tell(2, { outcome: 'score', scores: [2, 0], revision })).status).toBe(200)
    expect(lineOf(await made.readMatch(3))).toBe('team-1 - : team-2 -')
    expect(resultsOf(await made.readMatch(3))).toEqual(['double_forfeit', 'forfeit', 'forfeit'])
  })

  test('results cannot be voided: then the team stays where it is, everywhere', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'round_robin' })
    const tree = await addBracket(api, made, { division: 'main', format: 'single_elimination' })
    const before = [await made.read(), (await api.get(`${made.path}/brackets/${tree.guid}`)).body]
    const team = (await api.get(`${made.path}/teams/team-1`)).body
    const seq = await lastEvent(api)
    expect(outcome(await leave(made, 1, 'void'))).toEqual([400, 'withdrawal.void_not_possible'])
    expect([await made.read(), (await api.get(`${made.path}/brackets/${tree.guid}`)).body]).toEqual(before)
    expect((await api.get(`${made.path}/teams/team-1`)).body).toEqual(team)
    expect(team).toMatchObject({ status: 'registered', withdrawnAt: null })
    expect((await api.get(made.path)).body.counts).toMatchObject({ registered: 4 })
    expect(await eventsSince(api, made.cup, seq)).toEqual([])
  })
})

describe('in a table', () => {
  const rowsOf = ({ standings }: BracketBody) =>
    standings.map(({ team, played, won, lost, points }: BracketBody) => [team.id, played, won, lost, points])

  test('as walkovers, played results stay and the others win the rest', async () => {
    const made = await makeBracket(api, { teams: 3, format: 'round_robin' })
    const number = 1 + made.bracket.matches.findIndex((match: BracketBody) => /team-1.*team-2/.test(lineOf(match)))
    await made.win(number, 'team-1')
    await leave(made, 1)
    const after = await made.read()
    const [, third] = after.matches.filter((match: BracketBody) => lineOf(match).includes('team-1'))
    expect([third.status, third.outcome]).toEqual(['completed', 'walkover'])
    const rows = new Map<string, unknown[]>(rowsOf(after).map((row: unknown[]) => [row[0], row.slice(1)]))
    expect(rows.get('team-1')).toEqual([2, 1, 1, 3])
    expect(rows.get('team-2')).toEqual([1, 0, 1, 0])
    expect(rows.get('team-3')).toEqual([1, 1, 0, 3])
  })

  test('voided, its results leave everybody’s standings and stay on the matches', async () => {
    const made = await makeBracket(api, { teams: 3, format: 'round_robin' })
    const number = 1 + made.bracket.matches.findIndex((match: BracketBody) => /team-1.*team-2/.test(lineOf(match)))
    await made.win(number, 'team-1')
    const played = await made.readMatch(number)
    await leave(made, 1, 'void')
    const after = await made.read()
    expect(after.matches[number - 1]).toEqual(played)
    const rows = new Map<string, unknown[]>(rowsOf(after).map((row: unknown[]) => [row[0], row.slice(1)]))
    expect(rows.get('team-2')).toEqual([0, 0, 0, 0])
    expect(rows.get('team-3')).toEqual([0, 0, 0, 0])
    expect(after.entrants).toContainEqual(
      expect.objectContaining({ withdrawal: 'void', team: expect.objectContaining({ id: 'team-1' }) }),
    )
    // The remaining matches are played as if the team had never been there.
    const rest = 1 + after.matches.findIndex(({ status }: BracketBody) => status === 'ready')
    await made.win(rest, 'team-3')
    const end = await made.read()
    expect(end.status).toBe('completed')
    expect(end.standings[0]).toMatchObject({ rank: 1, team: { id: 'team-3' }, played: 1, points: 3 })
  })

  describe.each(['round_robin', 'swiss'] as const)('of %s, what a team won before it was taken out', (format) => {
    test.each(['unregister', 'disqualify'])('by %s is void once it is withdrawn so', async (verb) => {
      const made = await makeBracket(api, { teams: 4, format })
      const match = (await made.read()).matches.find((each: BracketBody) => lineOf(each).includes('team-4'))
      await made.win(match.number, 'team-4')
      await api.post(`${made.path}/qualify/${made.teams[3]?.guid}`, made.organiser)
      expect(outcome(await api.post(`${made.path}/${verb}/${made.teams[3]?.guid}`, made.organiser))).toEqual([
        200,
        null,
      ])
      const before = await made.read()
      const seq = await lastEvent(api)
      expect(outcome(await leave(made, 4, 'void'))).toEqual([200, null])
      const after = await made.read()
      expect(rowsOf(after).every(([, played]: unknown[]) => played === 0)).toBe(true)
      expect(after.standings.at(-1).team.id).toBe('team-4')
      expect([after.matches, after.revision]).toEqual([before.matches, before.revision + 1])
      expect(await eventsSince(api, made.cup, seq)).toMatchObject([
        { type: 'team.withdrawn' },
        { type: 'bracket.team_withdrawn', after: { teamGuid: made.teams[3]?.guid, policy: 'void' } },
      ])
    })
  })

  test('results of a team that was taken out are void in none of its brackets where one is a tree', async () => {
    const made = await makeBracket(api, { teams: 3, format: 'round_robin' })
    await addBracket(api, made, { division: 'main', format: 'single_elimination' })
    await api.post(`${made.path}/unregister/${made.teams[0]?.guid}`, made.organiser)
    const before = await made.read()
    expect(outcome(await leave(made, 1, 'void'))).toEqual([400, 'withdrawal.void_not_possible'])
    expect(await made.read()).toEqual(before)
    expect((await leave(made, 1, 'walkover')).status).toBe(200)
    expect(await made.read()).toEqual(before)
  })

  test('results of a team that was taken out stay in brackets that are over', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'round_robin' })
    await made.win(1, 'team-1')
    await api.post(`${made.path}/unregister/${made.teams[0]?.guid}`, made.organiser)
    const before = await made.read()
    expect(before.status).toBe('completed')
    expect((await leave(made, 1, 'void')).status).toBe(200)
    expect(await made.read()).toEqual(before)
  })

  test('a Swiss team that left is paired no more', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'swiss', settings: { rounds: 2 } })
    await leave(made, 1, 'void')
    const [first, second] = (await made.read()).matches
    expect(first.outcome === 'walkover' || second.outcome === 'walkover').toBe(true)
    for (const match of [first, second]) {
      if (match.status === 'ready') await made.win(match.number, match.sides[0].team.id)
    }
    const paired = await api.post(`${made.path}/brackets/${made.bracket.guid}/rounds`, made.organiser)
    expect(paired.status).toBe(201)
    const next = paired.body.matches.slice(2)
    expect(next.length).toBeGreaterThan(0)
    expect(next.map(lineOf).join()).not.toContain('team-1')
  })
})

test('every bracket follows, and what is over keeps its results', async () => {
  const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  await made.win(1, 'team-1')
  const over = await made.read()
  expect(over.status).toBe('completed')
  const table = await addBracket(api, made, { division: 'main', format: 'round_robin', settings: { legs: 2 } })
  const reply = await leave(made, 1, 'void')
  // A completed tree is not affected by the policy `void`.
  expect(reply.status).toBe(200)
  const left = await made.read()
  expect([left.status, left.matches, left.standings]).toEqual([over.status, over.matches, over.standings])
  expect(left.entrants[0]).toMatchObject({ team: { id: 'team-1' }, withdrawal: 'walkover' })
  const after = (await api.get(`${made.path}/brackets/${table.guid}`, made.organiser)).body
  expect(after).toMatchObject({ status: 'completed', revision: table.revision + 1 })
  expect(after.matches.map(({ outcome: ended }: BracketBody) => ended)).toEqual(['walkover', 'walkover'])
})

test('whoever left a bracket that was over plays no match that a correction opens again', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await made.win(1, 'team-1')
  await made.win(2, 'team-2')
  await made.win(3, 'team-1')
  await leave(made, 2)
  const { revision } = await made.read()
  // The correction replaces the final's first team and removes its result. Team 2, the other team of the final, has
  // left.
  expect((await made.tell(1, { outcome: 'score', scores: [0, 2], revision })).status).toBe(200)
  const final = await made.readMatch(3)
  expect([lineOf(final), ...resultsOf(final)]).toEqual(['team-4 - : team-2 -', 'walkover', 'win', 'forfeit'])
})

test.each([
  ['disqualified', 'disqualify', 'registered'],
  ['unregistered', 'unregister', 'unregistered'],
])('a team that is %s is out of its brackets too, and can be given its place again', async (_, verb, status) => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await api.post(`${made.path}/qualify/${made.teams[0]?.guid}`, made.organiser, {})
  const reply = await api.post(`${made.path}/${verb}/${made.teams[0]?.guid}`, made.organiser)
  expect([reply.status, reply.body.newTeam.status]).toEqual([200, status])
  expect(resultsOf(await made.readMatch(1))).toEqual(['walkover', 'forfeit', 'win'])
  await api.post(`${made.path}/register/${made.teams[0]?.guid}`, made.organiser, {})
  await api.post(`${made.path}/qualify/${made.teams[0]?.guid}`, made.organiser, {})
  const entrants = [{ slot: 1, teamGuid: made.teams[0]?.guid }]
  const placed = await api.put(`${made.path}/brackets/${made.bracket.guid}/entrants`, made.organiser, { entrants })
  expect([placed.status, placed.body.entrants[0].withdrawal]).toEqual([200, null])
  expect(await made.readMatch(1)).toMatchObject({ status: 'ready', outcome: null })
})

test('a result against a team that left can be corrected, and opened again only after it has come back', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await leave(made, 1)
  const before = await made.read()
  expect(lineOf(before.matches[2])).toBe('team-4 - : - -')
  const reopened = await api.post(`${made.match(1)}/reopen`, made.organiser, {
    reason: 'They are back.',
    revision: before.revision,
  })
  expect(outcome(reopened)).toEqual([409, 'match.team_withdrawn'])
  const change = { outcome: 'score', scores: [2, 1], revision: before.revision }
  const { status, body } = await made.tell(1, change)
  expect([status, body.affected.map(({ change: effect }: BracketBody) => effect)]).toEqual([200, ['team_replaced']])
  expect(lineOf(await made.readMatch(3))).toBe('team-1 - : - -')
  await api.post(`${made.path}/corrections/${body.correctionGuid}/undo`, made.organiser)
  expect(substanceOf(await made.read())).toEqual(substanceOf(before))
})

test('a draft keeps the team in its place, and whoever comes to meet it wins', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const place = (slot: number, teamGuid: string | null) =>
    api.put(`${made.path}/brackets/${made.bracket.guid}/entrants`, made.organiser, { entrants: [{ slot, teamGuid }] })
  const emptied = await place(2, null)
  expect(emptied.body.status).toBe('draft')
  await leave(made, 1)
  expect(await made.readMatch(1)).toMatchObject({ status: 'waiting', sides: [{ team: { id: 'team-1' } }, {}] })
  const filled = await place(2, made.teams[3]?.guid as string)
  expect(filled.body).toMatchObject({ status: 'ready' })
  expect(resultsOf(await made.readMatch(1))).toEqual(['walkover', 'forfeit', 'win'])
})

test('a team that stands in a bracket is withdrawn, not deleted', async () => {
  const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const reply = await api.delete(`/tournaments/${made.cup.id}/teams/${made.teams[0]?.guid}`, made.organiser)
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  expect((await made.read()).entrants[0].team.id).toBe('team-1')
})
