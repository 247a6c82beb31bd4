import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { remembered } from '../../../../test/make.ts'
import { eventsPath } from '../../../../test/realtime/streams.ts'
import { type Bracket, type Match, makeStage, playOut, type Stage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const addressOf = (stage: Stage, bracket: Bracket) => `${stage.path}/brackets/${bracket.guid}/outlook`

/** The outlook without signing in. */
async function outlook(stage: Stage, bracket: Bracket, query = '') {
  const reply = await api.get(addressOf(stage, bracket) + query)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const described = ({ rows }: Bracket) =>
  rows.map(({ team, points, status }: Bracket) => `${team.id} ${points} ${status}`).join(', ')

const between = (bracket: Bracket, ...ids: [string, string]): Match =>
  bracket.matches.find((match: Match) => ids.every((id) => match.sides.some(({ team }: Match) => team?.id === id)))

/** Reports matches; the first team of each pair wins. */
async function reportWins(stage: Stage, bracket: Bracket, pairs: string): Promise<void> {
  for (const pair of pairs.split(', ')) {
    const [winner, loser] = pair.split(' ') as [string, string]
    const match = between(bracket, winner, loser)
    await win(api, stage, match, match.sides[0].team.id === winner ? 1 : 2)
  }
}

describe('a group', () => {
  test('tells who is sure, who may still, and what the next match makes of it', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ format: 'round_robin' })
    await reportWins(stage, bracket, 't1 t2, t1 t3, t2 t4, t3 t4')
    const [last, other] = [between(bracket, 't1', 't4').guid, between(bracket, 't2', 't3').guid]
    const [, teamOfTwo] = stage.teams
    const body = await outlook(stage, bracket, '?places=2')
    expect({ ...body, rows: [] }).toEqual({ places: 2, basis: 'points', exact: true, rows: [] })
    expect(body.rows[1]).toEqual({
      team: { guid: teamOfTwo?.guid, id: 't2', name: 'Team 2', imageUrl: null, color: null },
      group: 0,
      points: 3,
      status: 'alive',
      next: { matchGuid: other, ifWin: 'clinched', ifDraw: null, ifLoss: 'eliminated' },
    })
    expect(described(body)).toBe('t1 6 clinched, t2 3 alive, t3 3 alive, t4 0 eliminated')
    expect(body.rows.map(({ next }: Bracket) => next.matchGuid)).toEqual([last, other, other, last])
    // One place by default.
    const first = await outlook(stage, bracket)
    expect([first.places, described(first)]).toEqual([1, 't1 6 alive, t2 3 alive, t3 3 alive, t4 0 eliminated'])
    for (const places of [4, 4096]) {
      const all = await outlook(stage, bracket, `?places=${places}`)
      expect(new Set(all.rows.map(({ status }: Bracket) => status))).toEqual(new Set(['clinched']))
    }
  })

  test('goes by the ranks when it is over, whatever the others still play', async () => {
    const stage = await makeStage(api, organiser, { teams: 6 })
    const settings = { groups: 2, tieBreakers: ['points'], distribution: 'sequential' }
    const bracket = await stage.bracket({ format: 'round_robin', settings })
    await reportWins(stage, bracket, 't1 t2, t2 t3, t3 t1, t4 t5')
    expect(described(await outlook(stage, bracket))).toBe(
      't1 3 tied, t2 3 tied, t3 3 tied, t4 3 alive, t5 0 alive, t6 0 alive',
    )
    await reportWins(stage, bracket, 't4 t6, t5 t6')
    expect(described(await outlook(stage, bracket, '?places=2'))).toBe(
      't1 3 tied, t2 3 tied, t3 3 tied, t4 6 clinched, t5 3 clinched, t6 0 eliminated',
    )
  })

  test('with draws looks at these too', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const bracket = await stage.bracket({ format: 'round_robin', settings: { allowDraws: true } })
    await reportWins(stage, bracket, 't1 t2, t1 t3')
    const { rows } = await outlook(stage, bracket, '?places=2')
    expect(rows.map(({ next }: Bracket) => next && [next.ifWin, next.ifDraw, next.ifLoss])).toEqual([
      null,
      ['clinched', 'alive', 'eliminated'],
      ['clinched', 'alive', 'eliminated'],
    ])
  })

  test('counts the walkovers of a team that left, or nothing of it', async () => {
    for (const [policy, expected] of [
      ['walkover', { t1: '6 clinched', t2: '0 alive', t3: '3 alive', t4: '3 alive' }],
      ['void', { t1: '3 clinched', t2: '0 clinched', t3: '0 clinched', t4: '0 eliminated' }],
    ] as const) {
      const stage = await makeStage(api, organiser, { teams: 4 })
      const bracket = await stage.bracket({ format: 'round_robin' })
      await reportWins(stage, bracket, 't1 t3, t4 t2')
      const [, , , gone] = stage.teams
      const left = await api.post(`${stage.path}/teams/${gone?.guid}/withdraw`, organiser, { reason: 'Ill.', policy })
      expect(left.status, left.text).toBe(200)
      const { rows } = await outlook(stage, bracket, '?places=3')
      const found = rows.map(({ team, points, status }: Bracket) => [team.id, `${points} ${status}`])
      expect(Object.fromEntries(found)).toEqual(expected)
    }
  })

  test('with a place that nobody has yet tells nothing', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({
      format: 'round_robin',
      entrants: { source: 'manual', teamGuids: stage.teams.map(({ guid }) => guid), size: 3 },
    })
    const body = await outlook(stage, bracket, '?places=2')
    expect([body.exact, described(body)]).toEqual([false, 't1 0 alive, t2 0 alive'])
  })
})

test('a Swiss bracket between its rounds, with a round that is paired, and over', async () => {
  const stage = await makeStage(api, organiser, { teams: 8 })
  const bracket = await stage.bracket({ format: 'swiss' })
  const pair = () => api.post(`${stage.path}/brackets/${bracket.guid}/rounds`, organiser)
  await playOut(api, stage, bracket)
  await pair()
  await playOut(api, stage, bracket)
  const between = await outlook(stage, bracket, '?places=4')
  expect([between.exact, between.rows.map(({ points }: Bracket) => points)]).toEqual([true, [6, 6, 3, 3, 3, 3, 0, 0]])
  expect(new Set(between.rows.map(({ status }: Bracket) => status))).toEqual(new Set(['alive']))
  expect(between.rows.every(({ next }: Bracket) => next === null)).toBe(true)
  // At most six teams reach 6 points, and four may stay at 3.
  expect((await outlook(stage, bracket, '?places=6')).rows.map(({ status }: Bracket) => status)).toEqual([
    ...['clinched', 'clinched', 'alive', 'alive', 'alive', 'alive', 'alive', 'alive'],
  ])
  const third = (await pair()).body
  const paired = await outlook(stage, bracket, '?places=1')
  expect(paired.exact).toBe(false)
  const first = third.matches.find((match: Match) => match.round === 3)
  expect(paired.rows.slice(0, 2).map(({ next }: Bracket) => next)).toEqual(
    Array(2).fill({ matchGuid: first.guid, ifWin: 'clinched', ifDraw: null, ifLoss: 'eliminated' }),
  )
  await playOut(api, stage, bracket)
  const over = await outlook(stage, bracket, '?places=4')
  expect([over.exact, ...over.rows.map(({ status }: Bracket) => status[0])].join('')).toBe('truecccceeee')
})

test('it follows the results, from memory in between, and for whoever follows it', async () => {
  const stage = await makeStage(api, organiser, { teams: 3 })
  const bracket = await stage.bracket({ format: 'round_robin' })
  const address = `${addressOf(stage, bracket)}?places=1`
  const before = await remembered(api, address)
  expect(new Set(before.body.rows.map(({ status }: Bracket) => status))).toEqual(new Set(['alive']))
  expect((await api.get(address, null, { 'if-none-match': before.headers.get('etag') ?? '' })).status).toBe(304)
  const followed = await api.get(eventsPath([address], { wait: '0' }))
  expect(JSON.parse(followed.text)).toMatchObject({ type: 'snapshot', body: before.body })
  await reportWins(stage, bracket, 't1 t2, t1 t3')
  const after = await remembered(api, address)
  expect(described(after.body)).toBe('t1 6 clinched, t2 0 eliminated, t3 0 eliminated')
  expect((await api.get(address, await api.user())).text).toBe(after.text)
  expect((await api.get(`${address}&delayed=true`)).text).toBe(after.text)
})

describe('refusals', () => {
  test('of what has no table, and of tables that do not go by points', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const refused = async (body: object) => outcome(await api.get(addressOf(stage, await stage.bracket(body))))
    expect(await refused({ format: 'single_elimination' })).toEqual([409, 'outlook.not_a_table'])
    expect(await refused({ format: 'double_elimination' })).toEqual([409, 'outlook.not_a_table'])
    const settings = { tieBreakers: ['game_difference', 'points'] }
    for (const format of ['round_robin', 'swiss']) {
      expect(await refused({ format, settings })).toEqual([409, 'outlook.not_by_points'])
    }
  })

  test('of places that are none, and of what nobody may see', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({ format: 'round_robin' })
    const address = addressOf(stage, bracket)
    for (const places of ['0', '-1', '1.5', 'two', '4097', '']) {
      expect((await api.get(`${address}?places=${places}`)).status, places).toBe(400)
    }
    const unknown = address.replace(bracket.guid, '00000000-0000-4000-8000-000000000000')
    expect(outcome(await api.get(unknown))).toEqual([404, 'bracket.unknown'])
    await api.sql(`update tournaments set status = 'draft' where guid = $1`, [stage.cup.guid])
    const hidden = await makeStage(api, organiser, { teams: 2, status: 'draft' })
    const draft = await hidden.bracket({ format: 'round_robin' })
    expect((await api.get(addressOf(hidden, draft), organiser)).status).toBe(200)
    for (const caller of [null, await api.user()]) {
      expect(outcome(await api.get(addressOf(hidden, draft), caller))).toEqual([404, 'tournament.unknown'])
    }
  })
})
