import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { remembered, roleHolder } from '../../../../test/make.ts'
import { type Cup, done, makeCup, makePlayers, open, type Player, play } from '../../../../test/qualifiers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

interface Stage {
  readonly cup: Cup
  readonly maps: readonly string[]
  readonly first: Player
  readonly mate: Player
  readonly second: Player
  readonly path: string
}

/** A team of two and a team of one that have played two maps. */
async function stage(settings: object = {}): Promise<Stage> {
  const cup = await makeCup(api)
  const maps = await open(api, cup, settings)
  const [first, mate] = (await makePlayers(api, cup, 2)) as [Player, Player]
  const [second] = (await makePlayers(api, cup)) as [Player]
  await play(api, cup, maps, first, [900, 500])
  await play(api, cup, maps, mate, [700, null])
  await play(api, cup, maps, second, [800, 600])
  return { cup, maps, first, mate, second, path: `${cup.path}/standings` }
}

const ref = ({ guid, username }: Caller) => ({ guid, username, preferredName: username, avatarUrl: expect.any(String) })
const teamName = ({ team: { guid, name } }: Player) => ({ guid, name })
const teamRef = ({ team: { guid, id, name } }: Player) => ({ guid, id, name, imageUrl: null, color: null })

describe('the standings', () => {
  test('have maps, teams on each map, teams and players altogether, and say how they come about', async () => {
    const { cup, maps, first, mate, second, path } = await stage({ attempts: 2, cutoff: 1 })
    const { body } = await api.get(path)
    expect(body.maps).toMatchObject([
      {
        guid: maps[0],
        hash: '1'.repeat(40),
        difficulty: 'ExpertPlus',
        characteristic: 'Standard',
        name: 'Map 1',
        maxScore: 1_000,
        weight: 1,
        attempts: 2,
      },
      { guid: maps[1], attempts: 2 },
    ])
    const play = (player: Player, score: number, rank: number) => ({
      user: { guid: player.guid, preferredName: player.username },
      score,
      accuracy: score / 1_000,
      rank,
      misses: null,
      badCuts: null,
      maxCombo: null,
      fullCombo: null,
    })
    // The team of two has (900 + 700) and only 500; the mean of the two counts.
    expect(body.songAndTeamProcesses).toEqual([
      {
        mapGuid: maps[0],
        teams: [
          {
            team: teamName(first),
            rank: 1,
            teamScore: 1_600,
            teamAccuracy: 0.8,
            members: [play(first, 900, 1), play(mate, 700, 3)],
          },
          { team: teamName(second), rank: 2, teamScore: 800, teamAccuracy: 0.8, members: [play(second, 800, 2)] },
        ],
      },
      {
        mapGuid: maps[1],
        teams: [
          { team: teamName(second), rank: 1, teamScore: 600, teamAccuracy: 0.6, members: [play(second, 600, 1)] },
          { team: teamName(first), rank: 2, teamScore: 500, teamAccuracy: 0.25, members: [play(first, 500, 2)] },
        ],
      },
    ])
    expect(body.overallTeamStandings).toMatchObject([
      {
        rank: 1,
        team: teamRef(second),
        value: 0.7,
        decidedBy: null,
        isQualified: false,
        seed: null,
        cutoffSide: 'above',
        tieBreaks: [
          { name: 'sum_of_scores', value: 1_400 },
          { name: 'ranking_rank', value: 0 },
        ],
      },
      { rank: 2, team: teamRef(first), value: 0.525, decidedBy: 'value', cutoffSide: 'below' },
    ])
    expect(body.overallStandings.map(({ rank, value, user, team }: never) => ({ rank, value, user, team }))).toEqual([
      { rank: 1, value: 0.7, user: ref(first), team: teamRef(first) },
      { rank: 1, value: 0.7, user: ref(second), team: teamRef(second) },
      { rank: 3, value: 0.35, user: ref(mate), team: teamRef(mate) },
    ])
    expect(body.overallStandings[2].perMap).toEqual([
      { mapGuid: maps[0], score: 700, accuracy: 0.7, rank: 3, value: 0.7, counts: true },
      { mapGuid: maps[1], score: null, accuracy: null, rank: null, value: 0, counts: true },
    ])
    expect(body.description).toEqual([
      'Players and teams are ranked by their average accuracy over all 2 maps.',
      'A player has 2 attempts on each map; the one with the highest score counts.',
      'Failed attempts count with the score that they reached.',
      'A team’s score on a map is the sum of the scores of all of its active members, and its accuracy their mean; a member without a result adds nothing.',
      'A map without a result counts 0.',
      'Ties are broken by the sum of scores, then by the better rank on the first ranking platform; whoever is still tied shares the better rank.',
      'The first team advances.',
    ])
    expect([body.syncedAt, body.updatedAt, body.lastSyncError]).toEqual([null, instant, null])
    expect(body).not.toHaveProperty('unmatched')
    expect((await api.get(path, cup.coordinator)).body).toEqual({ ...body, unmatched: [] })
  })

  test('follow the settings', async () => {
    const { cup, second, first, path } = await stage()
    const order = async (body: object) => {
      await done(api.put(cup.path, cup.organiser, body))
      const { overallTeamStandings } = (await api.get(path)).body
      return overallTeamStandings.map(({ team, value }: { team: { guid: string }; value: number }) => [
        team.guid,
        value,
      ])
    }
    const [a, b] = [first.team.guid, second.team.guid]
    expect(await order({ method: 'sum_of_scores' })).toEqual([
      [a, 2_100],
      [b, 1_400],
    ])
    expect(await order({ settings: { topPlayers: 1 } })).toEqual([
      [a, 1_400],
      [b, 1_400],
    ])
    expect(await order({ settings: { countMaps: 1 } })).toEqual([
      [a, 900],
      [b, 800],
    ])
    expect(await order({ method: 'sum_of_ranks', settings: { countMaps: null } })).toEqual([
      [a, 3],
      [b, 3],
    ])
  })

  test('break a tie of players by the rank on the first ranking platform', async () => {
    const { second, path } = await stage()
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', '76561', now())`,
      [second.guid],
    )
    await api.sql(
      `insert into ranking_profiles (platform, external_id, name, country, rank, fetched_at) values ('ranking-a', '76561', 'x', null, 12, now())`,
    )
    const rows = (await api.get(path)).body.overallStandings
    expect(rows.slice(0, 2)).toMatchObject([
      { rank: 1, user: { guid: second.guid } },
      { rank: 2, decidedBy: 'ranking_rank' },
    ])
  })

  test('show teams that take part now: the others are gone, those without a result stand last', async () => {
    const { cup, first, second, path } = await stage()
    const [idle] = (await makePlayers(api, cup)) as [Player]
    const teams = async () =>
      (await api.get(path)).body.overallTeamStandings.map(
        ({ rank, team }: { rank: number | null; team: { guid: string } }) => [rank, team.guid],
      )
    expect(await teams()).toEqual([
      [1, second.team.guid],
      [2, first.team.guid],
      [null, idle.team.guid],
    ])
    await done(api.post(`/tournaments/${cup.tournament.id}/unregister/${second.team.guid}`, cup.organiser))
    expect(await teams()).toEqual([
      [1, first.team.guid],
      [null, idle.team.guid],
    ])
    const { overallStandings } = (await api.get(path)).body
    expect(overallStandings.map(({ user }: { user: Caller }) => user.guid)).not.toContain(second.guid)
    await done(api.post(`/tournaments/${cup.tournament.id}/qualify/${first.team.guid}`, cup.organiser, { seed: 4 }))
    expect((await api.get(path)).body.overallTeamStandings[0]).toMatchObject({ isQualified: true, seed: 4 })
  })

  test('leave out substitutes of a team, but not of the players', async () => {
    const { mate, first, path } = await stage()
    await api.sql('update team_members set is_active = false where user_guid = $1', [mate.guid])
    const { body } = await api.get(path)
    expect(
      body.overallTeamStandings.find(({ team }: { team: { guid: string } }) => team.guid === first.team.guid).value,
    ).toBe(0.7)
    expect(body.overallStandings.map(({ user }: { user: Caller }) => user.guid)).toContain(mate.guid)
  })

  test('are remembered for the public, and never older than what anybody was told', async () => {
    const { cup, maps, first, path } = await stage()
    const before = await remembered(api, path)
    const again = await api.get(path, null, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    await play(api, cup, maps, first, [950])
    const after = await api.get(path, null, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect([after.status, after.body.overallStandings[0].value]).toEqual([200, 0.725])
    await remembered(api, path)
    await done(api.post('/updateUserSettings', first, { preferredName: 'Renamed' }))
    expect((await api.get(path)).body.overallStandings[0].user.preferredName).toBe('Renamed')
    await remembered(api, path)
    await done(
      api.patch(`/tournaments/${cup.tournament.id}/teams/${first.team.guid}`, cup.organiser, { name: 'New name' }),
    )
    expect((await api.get(path)).text).toContain('New name')
  })
})

describe('hidden scores', () => {
  const hidden = { hideScores: true, cutoff: 1 }
  const nothing = {
    songAndTeamProcesses: [],
    overallTeamStandings: [],
    overallStandings: [],
    syncedAt: null,
    updatedAt: null,
    lastSyncError: null,
  }

  test('are for the staff alone, whatever their role, until it is final', async () => {
    const { cup, path, first } = await stage(hidden)
    const roles = [
      'admin',
      'staff',
      'coordinator',
      'hcoordinator',
      'pooler',
      'hpooler',
      'caster',
      'hcaster',
      'host',
      'referee',
    ]
    const staff = await Promise.all(roles.map((role) => roleHolder(api, cup.tournament, `role:${role}`)))
    for (const caller of [cup.organiser, ...staff, await api.user({ globalRoles: ['global:tournaments:manage'] })]) {
      expect((await api.get(path, caller)).body.overallTeamStandings).toHaveLength(2)
    }
    const outsiders = [null, await api.user(), await roleHolder(api, (await makeCup(api)).tournament, 'role:admin')]
    for (const status of ['open', 'closed']) {
      await done(api.put(cup.path, cup.organiser, { status }))
      for (const caller of outsiders) {
        const { body } = await api.get(path, caller)
        expect(body).toMatchObject(nothing)
        expect(body).not.toHaveProperty('unmatched')
        expect(body.maps).toHaveLength(2)
        expect(body.description.at(-1)).toBe('Scores are hidden until the qualifier is final.')
      }
    }
    await done(api.put(cup.path, cup.organiser, { status: 'final' }))
    for (const caller of [...outsiders, first]) {
      expect((await api.get(path, caller)).body.overallTeamStandings).toHaveLength(2)
    }
    expect((await api.get(path)).body.description.at(-1)).not.toContain('hidden')
  })

  test('are shown to the player whose they are, without a rank or anything that depends on others', async () => {
    const { maps, first, mate, second, path } = await stage(hidden)
    const { body } = await api.get(path, first)
    expect(body).toMatchObject({
      ...nothing,
      overallStandings: [
        {
          rank: null,
          value: null,
          tieBreaks: [],
          decidedBy: null,
          user: ref(first),
          team: teamRef(first),
          perMap: [
            { mapGuid: maps[0], score: 900, accuracy: 0.9, rank: null, value: null, counts: false },
            { mapGuid: maps[1], score: 500, accuracy: 0.5, rank: null, value: null, counts: false },
          ],
        },
      ],
    })
    expect((await api.get(path, mate)).body.overallStandings).toMatchObject([
      { user: { guid: mate.guid }, perMap: [{ score: 700 }, { score: null }] },
    ])
    for (const caller of [first, mate]) expect((await api.get(path, caller)).text).not.toContain(second.guid)
  })

  test('leave no trace of a new attempt for the public: the same answer, and the same ETag', async () => {
    const { cup, maps, first, second, path } = await stage(hidden)
    const look = async (caller: Caller | null) =>
      Promise.all(
        [path, cup.path, `/tournaments/${cup.tournament.id}`].map(async (address) => {
          const reply = await api.get(address, caller)
          return [reply.text, reply.headers.get('etag')]
        }),
      )
    const [anonymous, own] = [await look(null), await look(first)]
    await play(api, cup, maps, second, [1_000])
    expect(await look(null)).toEqual(anonymous)
    expect(await look(first)).toEqual(own)
  })

  test('are not in the answer that the public is given from memory', async () => {
    const { cup, path } = await stage(hidden)
    const shared = await remembered(api, path)
    const staff = await api.get(path, cup.organiser)
    expect([staff.headers.get('cache-control'), staff.body.overallStandings.length]).toEqual(['private, no-store', 3])
    expect((await api.get(path)).text).toBe(shared.text)
    await done(api.put(cup.path, cup.organiser, { hideScores: false }))
    expect((await remembered(api, path)).body.overallStandings).toHaveLength(3)
    await done(api.put(cup.path, cup.organiser, { hideScores: true }))
    expect((await api.get(path)).body).toMatchObject(nothing)
  })

  test('are hidden again from a token that is no longer good', async () => {
    const { path } = await stage(hidden)
    const reply = await api.call('GET', path, { token: 'nonsense' })
    expect([reply.status, reply.body.overallStandings]).toEqual([200, []])
  })
})

test('standings of 1,000 players on ten maps are read, computed and answered in one go', async () => {
  const cup = await makeCup(api)
  const maps = await open(api, cup, {
    maps: Array.from({ length: 10 }, (_, index) => ({
      hash: String(index).repeat(40),
      difficulty: 'Easy',
      maxScore: 1_000,
    })),
  })
  await api.sql(
    `with people as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select 'crowd' || n, 'crowd' || n, 'crowd' || n, 'https://cdn.example/x.png' from generate_series(1, 1000) n
       returning guid, substr(username, 6)::int as n),
     clubs as (
       insert into teams (tournament_guid, id, name, captain_guid, status, registered_at)
       select $1, 'club' || n, 'Club ' || n, guid, 'registered', now() from people where n <= 250
       returning guid, substr(id, 5)::int as n),
     members as (
       insert into team_members (team_guid, tournament_guid, user_guid)
       select clubs.guid, $1, people.guid from people join clubs on clubs.n = 1 + people.n % 250 returning team_guid, user_guid)
     insert into qualifier_attempts (qualifier_guid, map_guid, user_guid, team_guid, score, completion, source, played_at, recorded_by_guid)
     select q.guid, m.guid, p.user_guid, p.team_guid, (random() * 1000)::int, 'passed', 'import', now(), $2
     from members p, qualifiers q join qualifier_maps m on m.qualifier_guid = q.guid, generate_series(1, 3)
     where q.tournament_guid = $1`,
    [cup.tournament.guid, cup.organiser.guid],
  )
  const { status, body } = await api.get(`${cup.path}/standings`)
  expect(status).toBe(200)
  expect([body.overallStandings.length, body.overallTeamStandings.length, body.songAndTeamProcesses.length]).toEqual([
    1_000, 250, 10,
  ])
  expect(maps).toHaveLength(10)
})

test('there are none in a qualifier that nobody has set up', async () => {
  const { path } = await makeCup(api)
  expect(outcome(await api.get(`${path}/standings`))).toEqual([404, 'qualifier.unknown'])
})
