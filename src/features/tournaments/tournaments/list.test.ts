import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  type MadeTournament,
  makeTournament,
  remembered,
  type TournamentOptions,
  touch,
} from '../../../../test/make.ts'
import { listTournaments } from './store/list.ts'

/** The public lists. (D26) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

// Every test starts with an empty list.
beforeEach(async () => {
  await api.sql('delete from tournaments')
  await touch(api)
})

const day = (number: number) => new Date(Date.UTC(2026, 5, number))
const make = (name: string, options: TournamentOptions = {}, as = organiser) =>
  makeTournament(api, as, { name, startsAt: day(1), ...options })
const namesOf = (reply: Reply): string[] => {
  expect(reply.status).toBe(200)
  return reply.body.tournaments.map((tournament: { name: string }) => tournament.name)
}
const list = async (query = '', as: Caller | null = null) => namesOf(await api.get(`/tournaments${query}`, as))

async function makePlatform(contextId: string): Promise<string> {
  const [row] = await api.sql<{ guid: string }>(
    'insert into platforms (context_id, name) values ($1, $1) returning guid',
    [contextId],
  )
  return row?.guid as string
}

async function listOn(platformGuid: string, tournament: MadeTournament, status = 'approved'): Promise<void> {
  await api.sql(
    `insert into listings (platform_guid, tournament_guid, status, sort_at)
     select $1, guid, $3, coalesce(starts_at, to_timestamp(0)) from tournaments where guid = $2`,
    [platformGuid, tournament.guid, status],
  )
  await touch(api)
}

async function join(tournament: MadeTournament, user: Caller): Promise<void> {
  const [team] = await api.sql<{ guid: string }>(
    'insert into teams (tournament_guid, id, name, captain_guid) values ($1, $2, $2, $3) returning guid',
    [tournament.guid, `team-${user.chatPlatformId}`, user.guid],
  )
  await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3)', [
    team?.guid,
    tournament.guid,
    user.guid,
  ])
}

describe('the list', () => {
  test('shows what the main platform approved, in status approved, ongoing or completed, newest start first', async () => {
    await make('approved', { startsAt: day(1) })
    await make('ongoing', { status: 'ongoing', startsAt: day(3) })
    await make('completed', { status: 'completed', startsAt: day(2) })
    await make('unset', { startsAt: null })
    await make('draft', { status: 'draft' })
    await make('cancelled', { status: 'cancelled' })
    await make('not approved', { approved: false })
    expect(await list()).toEqual(['ongoing', 'completed', 'approved', 'unset'])
    const manager = await api.user({ globalRoles: ['role:owner'] })
    expect(await list('', manager)).toEqual(['ongoing', 'completed', 'approved', 'unset'])
  })

  test('shows the same record as the tournament’s own address', async () => {
    const cup = await make('Cup')
    await api.patch(`/tournaments/${cup.id}`, organiser, {
      description: '**x**',
      capacity: 8,
      links: { website: 'https://a.example' },
    })
    const reply = await api.get('/tournaments')
    expect(reply.body).toEqual({ tournaments: [(await api.get(`/tournaments/${cup.id}`)).body], nextCursor: null })
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const etag = reply.headers.get('etag') ?? ''
    expect((await api.get('/tournaments', null, { 'if-none-match': etag })).status).toBe(304)
  })

  test('has the beginnings of long texts and no additional fields, unless they are asked for (D8)', async () => {
    const cup = await make('Long')
    const words = 'word '.repeat(4_000).trim()
    const fields = [{ label: 'Where do you play?', type: 'text', required: false, subject: 'team', private: false }]
    const texts = { description: words, rules: `a${'𝄞'.repeat(600)}`, prizes: 'Glory, and **more**.' }
    const changed = await api.patch(`/tournaments/${cup.id}`, organiser, { ...texts, additionalFields: fields })
    expect(changed.status, changed.text).toBe(200)
    const whole = (await api.get(`/tournaments/${cup.id}`)).body
    expect(whole).toMatchObject({ ...texts, additionalFields: [{ label: 'Where do you play?' }] })
    const { additionalFields, ...brief } = whole
    for (const path of ['/tournaments', '/tournament-platforms/main/tournaments']) {
      for (const query of ['', '?q=long', '?status=approved', '?include=']) {
        const [listed, ...others] = (await api.get(`${path}${query}`)).body.tournaments
        expect(others).toEqual([])
        expect(listed).toEqual({
          ...brief,
          description: `${'word '.repeat(100).trim()}…`,
          rules: `a${'𝄞'.repeat(498)}…`,
        })
      }
      for (const query of ['?', '?q=long&', '?status=approved&']) {
        const read = async (include: string) => (await api.get(`${path}${query}include=${include}`)).body.tournaments
        expect(await read('texts,fields')).toEqual([whole])
        expect(await read('texts')).toEqual([brief])
        const [listed] = await read('fields')
        expect(listed.additionalFields).toEqual(additionalFields)
        expect(listed.description).toHaveLength(500)
      }
      expect(outcome(await api.get(`${path}?include=staff`))).toEqual([400, 'include.invalid'])
    }
  })

  test('of another platform shows what that one approved', async () => {
    const north = await makePlatform('north')
    const [both, mainOnly] = [await make('both'), await make('main only')]
    const northOnly = await make('north only', { approved: false })
    await listOn(north, both)
    await listOn(north, northOnly)
    expect(await list('?platform=north')).toEqual(expect.arrayContaining(['both', 'north only']))
    expect(await list('?platform=NORTH')).toHaveLength(2)
    expect(await list('?platform=main')).toEqual(await list())
    expect((await list()).sort()).toEqual(['both', 'main only'])
    expect(mainOnly.guid).toBeDefined()
  })

  test.each(['nowhere', '', '00000000-0000-4000-8000-000000000000', "'--", 'a%20b'])(
    'of the platform %j, which there is not, is 404',
    async (platform) => {
      expect(outcome(await api.get(`/tournaments?platform=${platform}`))).toEqual([404, 'platform.unknown'])
    },
  )

  test('follows every change at once, remembered or not (D12)', async () => {
    await using sibling = await api.sibling()
    const everywhere = async (query = '') => {
      const path = `/tournaments${query}`
      const replies = [await api.get(path), await sibling.get(path)]
      replies.push(await remembered(api, path), await remembered(sibling, path))
      const [first, ...others] = replies.map(namesOf)
      for (const other of others) expect(other).toEqual(first)
      return first
    }
    expect(await everywhere()).toEqual([])
    const [one, two] = [await make('one', { startsAt: day(1) }), await make('two', { startsAt: day(2) })]
    expect(await everywhere()).toEqual(['two', 'one'])
    expect(await everywhere('?limit=1')).toEqual(['two'])
    await api.patch(`/tournaments/${one.id}`, organiser, { startsAt: day(3).toISOString() })
    expect(await everywhere()).toEqual(['one', 'two'])
    expect(await everywhere('?limit=1')).toEqual(['one'])
    await api.patch(`/tournaments/${two.id}`, organiser, { name: 'zwei' })
    expect(await everywhere()).toEqual(['one', 'zwei'])
    await api.patch(`/tournaments/${one.id}`, organiser, { startsAt: null })
    expect(await everywhere()).toEqual(['zwei', 'one'])
    expect(await everywhere('?status=approved')).toEqual(['zwei', 'one'])
    await api.post(`/tournaments/${two.id}/status`, organiser, { status: 'ongoing' })
    expect(await everywhere('?status=approved')).toEqual(['one'])
    await api.post(`/tournaments/${one.id}/status`, organiser, { status: 'cancelled' })
    expect([await everywhere(), await everywhere('?status=approved')]).toEqual([['zwei'], []])
    await api.post('/updateUserSettings', organiser, { preferredName: 'Quaver II' })
    for (const service of [api, sibling]) {
      expect((await service.get('/tournaments')).body.tournaments[0].organiser.preferredName).toBe('Quaver II')
    }
  })

  test('reads organisers and placed teams in one query each, however many records there are', async () => {
    for (let number = 0; number < 6; number++) {
      const cup = await make(`cup ${number}`, { status: 'completed' }, await api.user())
      await join(cup, await api.user())
      await api.sql(
        `update tournaments set placements = (select jsonb_agg(jsonb_build_object('place', 1, 'teamGuid', guid)) from teams where tournament_guid = $1) where guid = $1`,
        [cup.guid],
      )
    }
    const { db } = api.app.database
    const spies = [db.session, db.session].map(({ client }) => vi.spyOn(client, 'query'))
    const reply = await api.get('/tournaments', organiser)
    const asked = spies.flatMap((spy) =>
      spy.mock.calls.map(([query]) => (query as unknown as { name?: string }).name ?? ''),
    )
    expect(
      reply.body.tournaments.every((tournament: { placements: object[] }) => tournament.placements.length === 1),
    ).toBe(true)
    expect(asked.filter((name) => /^(tournaments|users\.facts)/.test(name)).sort()).toEqual([
      'tournaments.list',
      'tournaments.placed_teams',
      'tournaments.system_platform',
      'users.facts',
    ])
  })
})

describe('the filter', () => {
  test('status takes a comma list of listed statuses', async () => {
    await make('a', { status: 'approved', startsAt: day(1) })
    await make('o', { status: 'ongoing', startsAt: day(2) })
    await make('c', { status: 'completed', startsAt: day(3) })
    expect(await list('?status=ongoing')).toEqual(['o'])
    expect(await list('?status=approved,completed')).toEqual(['c', 'a'])
    expect(await list('?status=completed,%20approved,ongoing')).toEqual(['c', 'o', 'a'])
    for (const status of ['draft', 'cancelled', 'approved,draft', 'x', '']) {
      expect(outcome(await api.get(`/tournaments?status=${status}`))).toEqual([400, 'tournament.status_not_listed'])
    }
  })

  test('q finds whole words and the beginning of the last one, in name and id', async () => {
    await make('Spring Cup 2026', { id: 'sc-2026', startsAt: day(4) })
    await make('Autumn Cup', { id: 'autumn-classic', startsAt: day(3) })
    await make('Überfall 大会 (beta)', { id: 'raid', startsAt: day(2) })
    await make('R&B: Player’s v1.2 finals.example.org', { id: 'rnb', startsAt: day(1) })
    const expected: [string, string[]][] = [
      ['cup', ['Spring Cup 2026', 'Autumn Cup']],
      ['CUP', ['Spring Cup 2026', 'Autumn Cup']],
      ['cup spr', ['Spring Cup 2026']],
      ['spr cup', []],
      ['2026', ['Spring Cup 2026']],
      ['sc-2026', ['Spring Cup 2026']],
      ['SC-20', ['Spring Cup 2026']],
      ['classic', ['Autumn Cup']],
      ['autumn-cl', ['Autumn Cup']],
      ['überf', ['Überfall 大会 (beta)']],
      ['大会', ['Überfall 大会 (beta)']],
      ['beta', ['Überfall 大会 (beta)']],
      ['r&b', ['R&B: Player’s v1.2 finals.example.org']],
      ['example', ['R&B: Player’s v1.2 finals.example.org']],
      ['up', []],
      ['spring winter', []],
    ]
    for (const [q, names] of expected) {
      expect([q, await list(`?q=${encodeURIComponent(q)}`)]).toEqual([q, names])
    }
  })

  test('q says no more than its words, whatever it holds', async () => {
    await make('drop table tournaments')
    const hostile = [
      "'; drop table tournaments; --",
      '!drop',
      'drop & | !',
      'drop:*',
      '(drop',
      'drop <-> table',
      "dr'op",
      '\\',
      '::',
      '🎵',
      '%',
      '_',
      '-',
      '"drop"',
      "''''",
      'a'.repeat(100),
    ]
    for (const q of hostile) {
      const reply = await api.get(`/tournaments?q=${encodeURIComponent(q)}`)
      expect([q, reply.status]).toEqual([q, 200])
    }
    expect(await list(`?q=${encodeURIComponent('!drop:* & (')}`)).toEqual(['drop table tournaments'])
    expect(await list(`?q=${encodeURIComponent('&|!')}`)).toEqual([])
    expect((await api.get(`/tournaments?q=${'a'.repeat(101)}`)).status).toBe(400)
    expect((await api.get('/tournaments?q=')).status).toBe(400)
  })

  test('from and to take what happens between them', async () => {
    await make('week', { startsAt: day(5), endsAt: day(12) })
    await make('instant', { startsAt: day(8) })
    await make('end only', { startsAt: null, endsAt: day(10) })
    await make('unset', { startsAt: null })
    const between = async (from: number | null, to: number | null) => {
      const parts = [
        from === null ? '' : `from=${day(from).toISOString()}`,
        to === null ? '' : `to=${day(to).toISOString()}`,
      ]
      return (await list(`?${parts.join('&')}`)).sort()
    }
    expect(await between(5, 12)).toEqual(['end only', 'instant', 'week'])
    expect(await between(6, 7)).toEqual(['week'])
    expect(await between(8, 8)).toEqual(['instant', 'week'])
    expect(await between(12, null)).toEqual(['week'])
    expect(await between(null, 5)).toEqual(['week'])
    expect(await between(9, null)).toEqual(['end only', 'week'])
    expect(await between(13, null)).toEqual([])
    expect(await between(null, 4)).toEqual([])
  })

  test.each([
    ['from=2026-06-01', 'request.invalid'],
    ['from=2026-06-01T00:00:00', 'request.invalid'],
    ['to=2019-06-01T00:00:00Z', 'request.invalid'],
    ['from=x', 'request.invalid'],
    ['from=', 'request.invalid'],
    ['from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z', 'tournament.window_invalid'],
    ['registration=closed', 'request.invalid'],
    ['q=%00', 'request.invalid'],
    ['organiser=%00', 'request.invalid'],
    ['platform=%00', 'request.invalid'],
    ['status=%00', 'request.invalid'],
    ['before=%00', 'request.invalid'],
    ['registration=', 'request.invalid'],
  ])('%s is refused', async (query, code) => {
    expect(outcome(await api.get(`/tournaments?${query}`))).toEqual([400, code])
  })

  test('organiser takes any identifier of a user; one that nobody has finds nothing', async () => {
    const other = await api.user()
    await make('mine')
    await make('other', {}, other)
    await make('other, hidden', { status: 'draft' }, other)
    for (const identifier of [other.guid, other.guid.toUpperCase(), other.chatPlatformId]) {
      expect(await list(`?organiser=${identifier}`)).toEqual(['other'])
    }
    expect(await list('?organiser=@me', other)).toEqual(['other'])
    for (const identifier of ['999', 'quaver', '00000000-0000-4000-8000-000000000000', "'", '']) {
      expect([identifier, await list(`?organiser=${identifier}`)]).toEqual([identifier, []])
    }
    expect(outcome(await api.get('/tournaments?organiser=@me'))).toEqual([401, 'token.missing'])
    expect(outcome(await api.get('/tournaments?participant=@me'))).toEqual([401, 'token.missing'])
  })

  test('participant takes members of a team now, and those who have played', async () => {
    const player = await api.user()
    await make('elsewhere')
    await join(await make('member', { startsAt: day(2) }), player)
    await join(await make('hidden', { status: 'draft' }), player)
    await join(await make('of others'), await api.user())
    const played = await make('played', { status: 'completed', startsAt: day(1) })
    await api.sql('insert into appearances (user_guid, tournament_guid) values ($1, $2)', [player.guid, played.guid])
    expect(await list(`?participant=${player.guid}`)).toEqual(['member', 'played'])
    expect(await list('?participant=@me&status=completed', player)).toEqual(['played'])
    expect(await list('?participant=999')).toEqual([])
  })

  test('registration=open takes those in which anybody may register a team now', async () => {
    const hour = 3_600_000
    const now = Date.now()
    const at = (hours: number) => new Date(now + hours * hour)
    await make('no window')
    await make('within', { registrationOpensAt: at(-1), registrationClosesAt: at(1) })
    await make('open end', { registrationOpensAt: at(-1) })
    await make('open start', { registrationClosesAt: at(1) })
    await make('not yet', { registrationOpensAt: at(1) })
    await make('over', { registrationClosesAt: at(-1) })
    await make('by invitation', { publicRegistration: false })
    await make('started', { status: 'ongoing' })
    const [full, room] = [await make('full', { capacity: 2 }), await make('room', { capacity: 3 })]
    await api.sql('update tournament_counts set teams = 2, registered = 2 where tournament_guid = any($1)', [
      [full.guid, room.guid],
    ])
    expect((await list('?registration=open')).sort()).toEqual(['no window', 'open end', 'open start', 'room', 'within'])
    expect(await list('?registration=open&status=ongoing')).toEqual([])
  })

  test('may be several at once', async () => {
    const other = await api.user()
    await make('Spring Cup', { startsAt: day(5) }, other)
    await make('Spring Cup', { startsAt: day(20) }, other)
    await make('Autumn Cup', { startsAt: day(5) }, other)
    await make('Spring Cup', { startsAt: day(5) })
    const reply = await api.get(
      `/tournaments?q=spring&organiser=${other.guid}&to=${day(10).toISOString()}&status=approved&registration=open`,
    )
    expect(reply.body.tournaments).toMatchObject([
      { name: 'Spring Cup', startsAt: day(5).toISOString(), organiser: { guid: other.guid } },
    ])
  })
})

test('a page costs the same however long the list is: no scan of a table, no sort', async () => {
  // In parts, since a statement has a time limit.
  for (const from of [1, 5_001, 10_001, 15_001]) {
    await api.sql(
      `with made as (
         insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, starts_at, links, organiser_guid)
         select 'cup-' || n, 'Cup ' || n, case when n % 500 = 0 then 'ongoing' else 'completed' end, 1, 1, 1,
           timestamptz '2021-01-01' + n * interval '1 hour', '{}', $1 from generate_series($2::int, $2::int + 4999) n returning guid, status, starts_at),
       counted as (insert into tournament_counts (tournament_guid) select guid from made)
       insert into listings (platform_guid, tournament_guid, status, sort_at)
       select (select guid from platforms where is_system), guid, status, starts_at from made`,
      [organiser.guid, from],
    )
  }
  await api.sql('analyze tournaments, tournament_counts, listings')
  const { session } = api.app.database.db
  const [platform] = await api.sql<{ guid: string }>('select guid from platforms where is_system')
  const platformGuid = platform?.guid as string
  const planOf = async (statement: string, values: string) => {
    await session.client.query('set plan_cache_mode = force_generic_plan')
    const { rows } = await session.client.query(`explain (costs off) execute "${statement}"(${values})`)
    await session.client.query('reset plan_cache_mode')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const start = `'${platformGuid}', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 26`

  await listTournaments({ session }, { platformGuid }, 25)
  const plain = await planOf('tournaments.list', start)
  expect(plain).toContain('using listings_order')
  expect(plain).not.toMatch(/Seq Scan|Sort|Hash/)

  await listTournaments({ session }, { platformGuid, statuses: ['ongoing', 'approved'] }, 25)
  const byStatus = await planOf('tournaments.list_by_status', `'{ongoing,approved}', ${start}`)
  expect(byStatus).toContain('using listings_status_order')
  expect(byStatus).not.toMatch(/Seq Scan|Hash/)
})
