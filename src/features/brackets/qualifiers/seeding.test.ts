import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type Cup, done, makeCup, makePlayers, open, type Player, play } from '../../../../test/qualifiers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Stage {
  readonly cup: Cup
  readonly maps: readonly string[]
  readonly players: readonly Player[]
  readonly seed: (size: number, query?: string, as?: Caller | null, more?: object) => ReturnType<Harness['post']>
  /** Status and seed of each player's team, in order. */
  readonly teams: () => Promise<string[]>
}

/** Solo teams with the given scores, in a closed qualifier. */
async function stage(scores: readonly (number | null)[], status = 'closed'): Promise<Stage> {
  const cup = await makeCup(api)
  const maps = await open(api, cup, { method: 'sum_of_scores' })
  const players: Player[] = []
  for (const score of scores) {
    const [player] = (await makePlayers(api, cup)) as [Player]
    players.push(player)
    if (score !== null) await play(api, cup, maps, player, [score])
  }
  if (status !== 'open') await done(api.put(cup.path, cup.organiser, { status: 'closed' }))
  const seed: Stage['seed'] = (size, query = '', as = cup.organiser, more = {}) =>
    api.post(`${cup.path}/seed${query}`, as, { size, ...more })
  const teams = async () => {
    const rows = await api.sql<{ guid: string; status: string; seed: number | null }>(
      'select guid, status, seed from teams where tournament_guid = $1',
      [cup.tournament.guid],
    )
    const byGuid = new Map(rows.map((row) => [row.guid, `${row.status} ${row.seed}`]))
    return players.map(({ team }) => byGuid.get(team.guid) ?? 'gone')
  }
  return { cup, maps, players, seed, teams }
}

describe('seeding', () => {
  test('qualifies the best teams with seeds in one step, and tells who they are and what changed', async () => {
    const { cup, players, seed, teams } = await stage([300, 900, 500, null])
    const reply = await seed(2)
    const ref = ({ team: { guid, id, name } }: Player) => ({ guid, id, name, imageUrl: null, color: null })
    const [third, first, second] = players as [Player, Player, Player, Player]
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        dryRun: false,
        teams: [
          { seed: 1, rank: 1, value: 900, team: ref(first) },
          { seed: 2, rank: 2, value: 500, team: ref(second) },
        ],
        changes: [
          { team: ref(first), before: { status: 'registered', seed: null }, after: { status: 'qualified', seed: 1 } },
          { team: ref(second), before: { status: 'registered', seed: null }, after: { status: 'qualified', seed: 2 } },
        ],
      },
    ])
    expect(third).toBeDefined()
    expect(await teams()).toEqual(['registered null', 'qualified 1', 'qualified 2', 'registered null'])
    expect((await api.get(`/tournaments/${cup.tournament.id}`)).body.counts).toMatchObject({
      registered: 4,
      qualified: 2,
    })
    const types = await api.sql<{ type: string }>('select type from event_log where tournament = $1 order by seq', [
      cup.tournament.guid,
    ])
    expect(types.slice(-3).map(({ type }) => type)).toEqual(['team.qualified', 'team.qualified', 'qualifier.seeded'])
    const standings = (await api.get(`${cup.path}/standings`)).body.overallTeamStandings
    expect(
      standings.map(({ isQualified, seed }: { isQualified: boolean; seed: number | null }) => [isQualified, seed]),
    ).toEqual([
      ...[
        [true, 1],
        [true, 2],
        [false, null],
        [false, null],
      ],
    ])
  })

  test('takes no team without a result, however many places there are', async () => {
    const { seed, teams } = await stage([300, null])
    expect((await seed(8)).body.teams).toHaveLength(1)
    expect(await teams()).toEqual(['qualified 1', 'registered null'])
  })

  test('passes over teams that unregistered or withdrew: the next in line moves up', async () => {
    const { cup, players, seed, teams } = await stage([900, 800, 700, 600])
    const path = `/tournaments/${cup.tournament.id}`
    await done(api.post(`${path}/unregister/${players[0]?.team.guid}`, cup.organiser))
    await done(
      api.post(`${path}/teams/${players[1]?.team.guid}/withdraw`, cup.organiser, { reason: 'Ill', policy: 'walkover' }),
    )
    await done(seed(1))
    expect(await teams()).toEqual(['unregistered null', 'unregistered null', 'qualified 1', 'registered null'])
  })

  const seededOf = (body: { teams: { rank: number; team: { guid: string } }[] }) =>
    body.teams.map(({ rank, team }) => [rank, team.guid])

  test('seeds those who share a rank, of which all advance, in the order in which they were registered', async () => {
    const { players, seed } = await stage([500, 900, 500, 500])
    expect(seededOf((await seed(4)).body)).toEqual([
      [1, players[1]?.team.guid],
      [2, players[0]?.team.guid],
      [2, players[2]?.team.guid],
      [2, players[3]?.team.guid],
    ])
  })

  test('of those who share a rank, of which some advance, an order or a draw decides', async () => {
    const { cup, players, seed, teams } = await stage([500, 900, 500, 500])
    const [a, first, b, c] = players.map(({ team }) => team.guid)
    const refused = await seed(3)
    expect(outcome(refused)).toEqual([409, 'tie.undecided'])
    expect(refused.body).toMatchObject({
      ties: [{ groupIndex: null, places: [2, 3, 4], teams: [{ guid: a }, { guid: b }, { guid: c }] }],
      tied: [{ guid: a }, { guid: b }, { guid: c }],
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(outcome(await seed(3, '?dryRun=true'))).toEqual([409, 'tie.undecided'])
    const rows = (await api.get(`${cup.path}/standings`, cup.organiser)).body.overallTeamStandings
    expect(rows.map(({ rank, tied }: { rank: number; tied: boolean }) => [rank, tied])).toEqual([
      ...[
        [1, false],
        [2, true],
        [2, true],
        [2, true],
      ],
    ])
    expect(await teams()).toEqual(Array(4).fill('registered null'))
    const { body: preview } = await done(seed(3, '?dryRun=true', cup.organiser, { draw: true }))
    expect([seededOf(preview), preview.commitment, preview.seed]).toEqual([
      ...[[[1, first]], refused.body.commitment, undefined],
    ])
    const { body: drawn } = await done(seed(3, '', cup.organiser, { draw: true }))
    expect(createHash('sha256').update(Buffer.from(drawn.seed, 'hex')).digest('hex')).toBe(refused.body.commitment)
    const published = (await api.get(`${cup.path}/standings`, cup.organiser)).body
    expect([published.ties, published.seed]).toEqual([drawn.ties, drawn.seed])
    const inOrder = drawn.ties[0].teams.map(({ guid }: { guid: string }) => guid)
    expect(inOrder.toSorted()).toEqual([a, b, c].toSorted())
    expect(seededOf(drawn)).toEqual([
      [1, first],
      [2, inOrder[0]],
      [2, inOrder[1]],
    ])
    const reason = 'They played a map for it.'
    const order = inOrder.toReversed()
    expect(outcome(await seed(3, '', cup.organiser, { order }))).toEqual([400, 'tie.order_invalid'])
    const { body: ordered } = await done(seed(3, '', cup.organiser, { order, reason }))
    expect(seededOf(ordered).map(([, guid]) => guid)).toEqual([first, order[0], order[1]])
    const states = new Map(
      [first, ...order].map((guid, index) => [guid, index < 3 ? `qualified ${index + 1}` : 'registered null']),
    )
    expect(await teams()).toEqual(players.map(({ team }) => states.get(team.guid)))
    // The same order with another reason is another ruling, which the log has too.
    const { body: anew } = await done(seed(3, '', cup.organiser, { order, reason: 'They played two maps.' }))
    expect(anew.changes).toEqual([])
    const emitted = await api.sql<{ after: object }>(
      `select after from event_log where tournament = $1 and type = 'qualifier.seeded' order by seq`,
      [cup.tournament.guid],
    )
    expect(emitted.map(({ after }) => after)).toMatchObject([
      { decidedBy: 'draw', drawSeed: drawn.seed, ties: [{ places: [2, 3, 4], teamGuids: inOrder }] },
      { decidedBy: 'order', reason, ties: [{ teamGuids: order }] },
      { decidedBy: 'order', reason: 'They played two maps.' },
    ])
  })

  test('done again follows the standings: teams that drop out are registered, and their seeds are free', async () => {
    const { cup, maps, players, seed, teams } = await stage([900, 800, 700])
    await done(seed(2))
    expect((await seed(2)).body.changes).toEqual([])
    await done(api.put(cup.path, cup.organiser, { status: 'open' }))
    await play(api, cup, maps, players[2] as Player, [1_000])
    await done(api.put(cup.path, cup.organiser, { status: 'closed' }))
    const { changes } = (await seed(2)).body
    expect(changes.map(({ before, after }: never) => [before, after])).toHaveLength(3)
    expect(await teams()).toEqual(['qualified 2', 'registered null', 'qualified 1'])
    expect((await api.get(`/tournaments/${cup.tournament.id}`)).body.counts.qualified).toBe(2)
    await done(seed(1))
    expect(await teams()).toEqual(['registered null', 'registered null', 'qualified 1'])
  })

  test('done again takes teams that drop out of their brackets, which a dry run names', async () => {
    const { cup, players, seed, teams } = await stage([900, 800, 700, 600])
    await done(seed(4))
    const path = `/tournaments/${cup.tournament.id}`
    await done(api.post(`${path}/divisions`, cup.organiser, { name: 'Main', id: 'main' }))
    const { body: bracket } = await done(
      api.post(`${path}/divisions/main/brackets`, cup.organiser, {
        name: 'Playoffs',
        format: 'round_robin',
        entrants: { source: 'qualified' },
      }),
    )
    const read = async () => (await api.get(`${path}/brackets/${bracket.guid}`)).body
    const before = await read()
    const leaves = [{ guid: bracket.guid, name: 'Playoffs' }]
    const out = { before: { status: 'qualified' }, after: { status: 'registered', seed: null }, leaves }
    expect((await done(seed(2, '?dryRun=true'))).body.changes).toMatchObject([out, out])
    expect(await read()).toEqual(before)
    expect((await done(seed(2))).body.changes).toMatchObject([out, out])
    expect(await teams()).toEqual(['qualified 1', 'qualified 2', 'registered null', 'registered null'])
    const { entrants, matches } = await read()
    const gone = players.slice(2).map(({ team }) => team.guid)
    const withdrawn = entrants.filter(({ withdrawal }: { withdrawal: string | null }) => withdrawal === 'walkover')
    expect(withdrawn.map(({ team }: { team: { guid: string } }) => team.guid).sort()).toEqual(gone.sort())
    const ends = matches.map(({ outcome: ended }: { outcome: string | null }) => ended)
    expect(ends.filter((ended: string | null) => ended === 'walkover')).toHaveLength(5)
    expect(ends.filter((ended: string | null) => ended === null)).toHaveLength(1)
  })

  test('leaves teams that somebody qualified by hand, without a seed that is another’s now', async () => {
    const { cup, players, seed, teams } = await stage([900, null, null])
    const qualify = (index: number, seed: number) =>
      done(api.post(`/tournaments/${cup.tournament.id}/qualify/${players[index]?.team.guid}`, cup.organiser, { seed }))
    await qualify(1, 1)
    await qualify(2, 9)
    await done(seed(1))
    expect(await teams()).toEqual(['qualified 1', 'qualified null', 'qualified 9'])
  })

  test('done again leaves them, too, where they were among the best at first', async () => {
    const { cup, players, seed, teams } = await stage([900, 800, 700])
    await done(api.post(`/tournaments/${cup.tournament.id}/qualify/${players[1]?.team.guid}`, cup.organiser))
    await done(seed(3))
    expect(await teams()).toEqual(['qualified 1', 'qualified 2', 'qualified 3'])
    expect((await done(seed(1, '?dryRun=true'))).body.changes).toHaveLength(1)
    await done(seed(1))
    expect(await teams()).toEqual(['qualified 1', 'qualified 2', 'registered null'])
    await done(seed(2))
    await done(seed(1))
    expect(await teams()).toEqual(['qualified 1', 'qualified 2', 'registered null'])
  })

  test('happens once when two want it at once', async () => {
    const { seed, teams } = await stage([900, 800, 700])
    const replies = await Promise.all([seed(2), seed(2), seed(2)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(replies.map(({ body }) => body.changes.length).sort()).toEqual([0, 0, 2])
    expect(await teams()).toEqual(['qualified 1', 'qualified 2', 'registered null'])
  })

  test('tells the members', async () => {
    const { players, seed } = await stage([900])
    await done(seed(1))
    await expect
      .poll(async () =>
        (await api.get('/users/@me/notifications', players[0] ?? null)).body.notifications.map(
          ({ type }: { type: string }) => type,
        ),
      )
      .toEqual(['team.qualified'])
  })
})

describe('a dry run', () => {
  test('tells the same and changes nothing, by query or by body, in any status', async () => {
    const { cup, seed, teams } = await stage([300, 900], 'open')
    const log = () => api.sql('select count(*)::int as count from event_log')
    const before = await log()
    for (const reply of [await seed(1, '?dryRun=true'), await seed(1, '', cup.organiser, { dryRun: true })]) {
      expect([reply.status, reply.body]).toMatchObject([
        200,
        { dryRun: true, teams: [{ seed: 1, value: 900 }], changes: [{ after: { status: 'qualified', seed: 1 } }] },
      ])
    }
    expect([await teams(), await log()]).toEqual([['registered null', 'registered null'], before])
    expect(outcome(await seed(1, '?dryRun=maybe'))).toEqual([400, 'request.invalid'])
  })
})

describe('is refused', () => {
  test('before the qualifier is closed; not once it is final', async () => {
    const { cup, seed } = await stage([300], 'open')
    expect(outcome(await seed(1))).toEqual([409, 'qualifier.not_closed'])
    expect(outcome(await seed(1, '?dryRun=false'))).toEqual([409, 'qualifier.not_closed'])
    await done(api.put(cup.path, cup.organiser, { status: 'closed' }))
    await done(api.put(cup.path, cup.organiser, { status: 'final' }))
    expect((await seed(1)).status).toBe(200)
  })

  test('to everybody but the organiser, admins and global managers', async () => {
    const { cup, players, seed } = await stage([300])
    const roles = ['staff', 'hcoordinator', 'hpooler', 'pooler', 'caster', 'hcaster', 'host', 'referee']
    const others = await Promise.all(roles.map((role) => roleHolder(api, cup.tournament, `role:${role}`)))
    for (const caller of [...others, cup.coordinator, players[0] as Player]) {
      expect(outcome(await seed(1, '', caller))).toEqual([403, 'role.missing'])
      expect(outcome(await seed(1, '?dryRun=true', caller))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await seed(1, '', null))).toEqual([401, 'token.missing'])
    expect((await seed(1, '', await roleHolder(api, cup.tournament, 'role:admin'))).status).toBe(200)
    expect((await seed(1, '', await api.user({ globalRoles: ['global:tournaments:manage'] }))).status).toBe(200)
  })

  test('without a sensible size, and once the tournament is over', async () => {
    const { cup, seed } = await stage([300])
    for (const size of [0, -1, 1.5, 4_097, undefined]) {
      expect(outcome(await seed(size as number))).toEqual([400, 'request.invalid'])
    }
    await api.sql(`update tournaments set status = 'completed' where guid = $1`, [cup.tournament.guid])
    expect(outcome(await seed(1))).toEqual([409, 'tournament.over'])
  })
})
