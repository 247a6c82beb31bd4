import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type Bracket, type Match, makeStage, playOut, type Stage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const bySeed = (bracket: Bracket): string[] =>
  bracket.entrants
    .toSorted((one: Bracket, other: Bracket) => one.seed - other.seed)
    .map(({ team }: Bracket) => team?.id ?? '-')
const ids = (teams: readonly { readonly id: string }[]) => teams.map(({ id }) => id)

describe('a tie that decides who goes on', () => {
  /** t1, t2 and t3 beat each other in a circle, and all of them beat t4. No tie-breaker separates the three. */
  async function circle(): Promise<{ stage: Stage; source: Bracket; entrants: (from?: object) => object }> {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const tieBreakers = ['points', 'head_to_head', 'game_difference']
    const source = await stage.bracket({ format: 'round_robin', settings: { tieBreakers } })
    const beats: Record<string, string> = { t1: 't2', t2: 't3', t3: 't1' }
    for (const match of source.matches) {
      const [one, other] = ids(match.sides.map(({ team }: Match) => team))
      await win(api, stage, match, other === 't4' || beats[one ?? ''] === other ? 1 : 2)
    }
    const entrants = (from = {}) => ({
      entrants: { source: 'bracket', from: { bracketGuid: source.guid, places: [1, 2], ...from } },
    })
    return { stage, source, entrants }
  }
  const created = async ({ cup }: Stage) =>
    (await api.sql(`select after from event_log where tournament = $1 order by seq desc limit 1`, [cup.guid]))[0]?.after

  test('is 409 with the tied teams and the commitment of a draw, in a dry run too, and nothing is stored', async () => {
    const { stage, source, entrants } = await circle()
    const { standings } = await stage.read(source)
    expect(standings.map(({ rank, team, tied }: Bracket) => [rank, team.id, tied])).toEqual([
      [1, 't1', true],
      [1, 't2', true],
      [1, 't3', true],
      [4, 't4', false],
    ])
    const refused = await stage.create(entrants())
    expect(outcome(refused)).toEqual([409, 'tie.undecided'])
    expect(refused.body).toMatchObject({
      ties: [{ groupIndex: 0, places: [1, 2, 3], teams: [{ id: 't1' }, { id: 't2' }, { id: 't3' }] }],
      tied: [{ id: 't1', name: 'Team 1' }, { id: 't2' }, { id: 't3' }],
      decideBy: ['order', 'draw'],
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const other = await stage.bracket()
    const doors = [
      stage.create(entrants(), '?dryRun=true'),
      stage.create({ ...entrants({ places: [3, 4] }), format: 'round_robin' }),
      api.post(`${stage.path}/brackets/${other.guid}/generate`, organiser, entrants()),
      api.post(`${stage.path}/brackets/${other.guid}/generate?dryRun=true`, organiser, entrants({ places: [1, 4] })),
    ]
    for (const door of await Promise.all(doors)) {
      expect([...outcome(door), door.body.commitment]).toEqual([409, 'tie.undecided', refused.body.commitment])
    }
    expect(await api.sql('select from brackets where tournament_guid = $1', [stage.cup.guid])).toHaveLength(2)
  })

  test('is no cut where all of the tied go on, or none', async () => {
    const { stage, entrants } = await circle()
    expect(bySeed(await stage.bracket(entrants({ places: [1, 2, 3] })))).toEqual(['t1', 't2', 't3'])
    const made = await stage.bracket(entrants({ places: [1, 2, 3, 4], draw: true }))
    expect([Object.hasOwn(made, 'seed'), Object.hasOwn(made, 'ties')]).toEqual([false, false])
    const order = stage.teams.slice(0, 3).map(({ guid }) => guid)
    expect(outcome(await stage.create(entrants({ places: [1, 2, 3], order, reason: 'Coin.' })))).toEqual([
      ...[400, 'tie.order_invalid'],
    ])
  })

  test('is decided by an order with its reason, which stands in the log', async () => {
    const { stage, entrants } = await circle()
    const [t1, t2, t3, t4] = stage.teams.map(({ guid }) => guid)
    const reason = 'A match of one map, played at once.'
    for (const given of [
      { order: [t3, t1, t2] },
      { order: [t3, t1], reason },
      { order: [t3, t1, t1], reason },
      { order: [t3, t1, t2, t4], reason },
      { order: [t3, t1, t2], reason, draw: true },
      { reason },
    ]) {
      expect(outcome(await stage.create(entrants(given)))).toEqual([400, 'tie.order_invalid'])
    }
    const made = await stage.bracket(entrants({ order: [t3?.toUpperCase(), t1, t2], reason }))
    expect(bySeed(made)).toEqual(['t3', 't1'])
    expect(made.ties).toMatchObject([{ places: [1, 2, 3], decidedBy: 'order' }])
    expect([ids(made.ties[0].teams), made.seed]).toEqual([['t3', 't1', 't2'], undefined])
    expect(await created(stage)).toMatchObject({
      entrants: 2,
      decidedBy: 'order',
      reason,
      ties: [{ places: [1, 2, 3], teamGuids: [t3, t1, t2] }],
    })
    const [entry] = (await api.get(`${stage.path}/audit`, organiser)).body.entries ?? []
    if (entry !== undefined) expect(entry).toMatchObject({ after: { decidedBy: 'order', reason } })
  })

  test('is drawn by the seed that was committed to, always alike, and whoever looks first sees nothing', async () => {
    const { stage, source, entrants } = await circle()
    const { commitment } = (await stage.create(entrants())).body
    const preview = await stage.create(entrants({ draw: true }), '?dryRun=true')
    expect([preview.status, bySeed(preview.body), preview.body.commitment]).toEqual([201, ['-', '-'], commitment])
    expect(Object.hasOwn(preview.body, 'seed')).toBe(false)
    // A new name or other places do not change the draw.
    const renamed = await api.patch(`${stage.path}/brackets/${source.guid}`, organiser, { name: 'Another' })
    expect(renamed.status).toBe(200)
    const made = await stage.bracket(entrants({ draw: true }))
    expect(createHash('sha256').update(Buffer.from(made.seed, 'hex')).digest('hex')).toBe(commitment)
    const drawn = drawnFrom(made.seed, source.guid, stage.teams.slice(0, 3))
    expect([ids(made.ties[0].teams), bySeed(made)]).toEqual([drawn, drawn.slice(0, 2)])
    expect(await created(stage)).toMatchObject({ decidedBy: 'draw', commitment, drawSeed: made.seed })
    const published = (await api.get(`${stage.path}/brackets/${made.guid}`, organiser)).body
    expect([published.ties, published.commitment, published.seed]).toEqual([made.ties, commitment, made.seed])
    const rest = await stage.bracket(entrants({ places: [3, 4], draw: true }))
    expect([bySeed(rest), rest.seed]).toEqual([[drawn[2], 't4'], made.seed])
  })

  /** Computes a draw as the API's description tells a reader to check it. */
  function drawnFrom(seed: string, subject: string, teams: Stage['teams']): string[] {
    const left = teams.toSorted((one, other) => (one.guid < other.guid ? -1 : 1))
    return teams.map((_, index) => {
      const text = `${subject}:${index + 1}:0:0:`
      const value = createHmac('sha256', Buffer.from(seed, 'hex')).update(text).digest().readUIntBE(0, 6)
      return left.splice(value % left.length, 1)[0]?.id ?? ''
    })
  }

  test('is one of an elimination too, whose ranks are shared by rounds, unless seeds are to decide', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const from = (source: Bracket) => ({
      entrants: { source: 'bracket', from: { bracketGuid: source.guid, places: [1, 2, 3] } },
    })
    const source = await playOut(api, stage, await stage.bracket())
    expect(outcome(await stage.create(from(source)))).toEqual([409, 'tie.undecided'])
    const named = await playOut(api, stage, await stage.bracket({ settings: { tieBreakers: ['seed'] } }))
    expect(bySeed(await stage.bracket(from(named)))).toEqual(['t1', 't2', 't3'])
  })

  test('`size` takes no group’s team before another’s of the same place unasked', async () => {
    const stage = await makeStage(api, organiser, { teams: 6 })
    const source = await playOut(api, stage, await stage.bracket({ format: 'round_robin', settings: { groups: 2 } }))
    const entrants = (from: object) => ({
      entrants: { source: 'bracket', from: { bracketGuid: source.guid, places: [1, 2], ...from }, size: 3 },
    })
    const refused = await stage.create(entrants({}))
    expect([...outcome(refused), ids(refused.body.tied)]).toEqual([409, 'tie.undecided', ['t4', 't3']])
    const order = refused.body.tied.map(({ guid }: Bracket) => guid).toReversed()
    // t2 and t3 come from one group, so t2 gets the bye.
    expect(bySeed(await stage.bracket(entrants({ order, reason: 'More maps won.' })))).toEqual(['t2', 't1', 't3'])
  })
})

describe('teams of groups', () => {
  async function groups(count: number, teams: number): Promise<{ stage: Stage; source: Bracket }> {
    const stage = await makeStage(api, organiser, { teams })
    const source = await stage.bracket({ format: 'round_robin', settings: { groups: count, bestOf: 1 } })
    // The better seed won each match. The results are written into the database, since playing is not under test.
    await api.sql(
      `update matches m set status = 'completed', outcome = 'score', started = true, completed_at = now(),
         decision = jsonb_build_object('outcome', 'score', 'scores', null, 'winner', case when a.seed < b.seed then 0 else 1 end),
         sides = jsonb_build_array(
           m.sides -> 0 || jsonb_build_object('result', case when a.seed < b.seed then 'win' else 'loss' end),
           m.sides -> 1 || jsonb_build_object('result', case when a.seed < b.seed then 'loss' else 'win' end))
       from bracket_entrants a, bracket_entrants b
       where m.bracket_guid = $1 and a.bracket_guid = $1 and b.bracket_guid = $1
         and a.team_guid = m.team1_guid and b.team_guid = m.team2_guid`,
      [source.guid],
    )
    await api.sql(`update brackets set status = 'completed', open = 0 where guid = $1`, [source.guid])
    return { stage, source: await stage.read(source) }
  }
  const groupsOf = (source: Bracket) =>
    new Map<string, number>(source.standings.map(({ team, groupIndex }: Bracket) => [team.id, groupIndex]))
  /** The earliest upper-bracket round in which each two teams of one group can meet, computed from the tree. */
  function meetings(bracket: Bracket, groupOf: ReadonlyMap<string, number>): number[] {
    const upper = bracket.matches.filter(({ section }: Match) => section === 'upper')
    const teamsOf = (match: Match): string[] =>
      match.sides.flatMap(({ team, from }: Match) => {
        if (team !== null && (from === null || match.round === 1)) return [team.id]
        const before = upper.find(({ guid }: Match) => guid === from?.matchGuid)
        return before === undefined ? [] : teamsOf(before)
      })
    return upper.flatMap((match: Match) => {
      const sides = match.sides.map((side: Match) => teamsOf({ ...match, sides: [side] }))
      return sides[0].flatMap((one: string) =>
        sides[1].filter((other: string) => groupOf.get(one) === groupOf.get(other)).map(() => match.round),
      )
    })
  }

  test.each([
    [3, 9, [1, 2], 'single_elimination'],
    [3, 12, [1, 2, 3, 4], 'single_elimination'],
    [4, 12, [1, 2], 'double_elimination'],
    [5, 10, [1, 2], 'double_elimination'],
    [6, 12, [1, 2], 'single_elimination'],
    [2, 8, [1, 2, 3, 4], 'single_elimination'],
  ] as const)('%i groups of %i teams, places %j, %s: mates meet late', async (count, teams, places, format) => {
    const { stage, source } = await groups(count, teams)
    const entrants = { source: 'bracket', from: { bracketGuid: source.guid, places } }
    const bracket = await stage.bracket({ format, entrants })
    const groupOf = groupsOf(source)
    const rankOf = new Map(source.standings.map(({ team, rank }: Bracket) => [team.id, rank]))
    expect(bySeed(bracket).map((id) => rankOf.get(id))).toEqual(places.flatMap((place) => Array(count).fill(place)))
    const last = Math.max(
      ...bracket.matches.filter(({ section }: Match) => section === 'upper').map(({ round }: Match) => round),
    )
    const rounds = meetings(bracket, groupOf)
    expect(rounds.length).toBeGreaterThan(0)
    // With two places, teams of one group can meet only in the final. With four places, each half holds two teams of
    // each group, which can meet in its last match at the earliest.
    expect(Math.min(...rounds)).toBe(places.length === 2 ? last : last - 1)
    expect(bracket).not.toHaveProperty('rematches')
  })

  test('who cannot avoid a mate in the first round are named', async () => {
    const { stage, source } = await groups(1, 4)
    const entrants = { source: 'bracket', from: { bracketGuid: source.guid, places: [1, 2, 3, 4] } }
    for (const query of ['?dryRun=true', '']) {
      const { body } = await stage.create({ entrants }, query)
      const named = body.rematches.map(({ number, groupIndex, teams }: Bracket) => [number, groupIndex, ids(teams)])
      const [first, second] = body.matches
      expect(named).toEqual([
        [first.number, 0, ['t1', 't4']],
        [second.number, 0, ['t2', 't3']],
      ])
    }
  })
})
