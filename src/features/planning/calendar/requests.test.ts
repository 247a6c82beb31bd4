import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calendarAddress, fillListing } from '../../../../test/calendar.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makePlatform } from '../../../../test/make.ts'

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

describe('a request', () => {
  let api: Harness
  beforeAll(async () => {
    api = await startHarness()
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const year = { from: '2030-01-01T00:00:00Z', to: '2031-01-01T00:00:00Z' }

  test.each([
    ['no window', {}, 'request.invalid'],
    ['no start', { to: year.to }, 'request.invalid'],
    ['no end', { from: year.from }, 'request.invalid'],
    ['an empty start', { ...year, from: '' }, 'request.invalid'],
    ['a day without time', { ...year, from: '2030-01-01' }, 'request.invalid'],
    ['a start without zone', { ...year, from: '2030-01-01T00:00:00' }, 'request.invalid'],
    ['a start before 2020', { from: '2019-12-31T23:59:59Z', to: '2020-01-02T00:00:00Z' }, 'request.invalid'],
    ['an unset start', { ...year, from: '1970-01-01T00:00:00Z' }, 'calendar.window_invalid'],
    ['an empty window', { ...year, to: year.from }, 'calendar.window_invalid'],
    ['a window back in time', { from: year.to, to: year.from }, 'calendar.window_invalid'],
    ['more than 366 days', { ...year, to: '2031-01-02T00:00:00.001Z' }, 'calendar.window_invalid'],
    ['an unknown kind', { ...year, kinds: 'tournament,matches' }, 'calendar.kind_unknown'],
    ['no kind', { ...year, kinds: '' }, 'calendar.kind_unknown'],
    ['a page without entries', { ...year, limit: '0' }, 'request.invalid'],
    ['a page that is too long', { ...year, limit: '101' }, 'request.invalid'],
    ['half a page', { ...year, limit: '2.5' }, 'request.invalid'],
    ['control characters', { ...year, platform: 'a\u0000b' }, 'request.invalid'],
  ])('with %s is refused', async (_name, query, code) => {
    const reply = await api.get(calendarAddress(query))
    expect(problem(reply)).toEqual([400, code])
    expect(reply.text).toMatch(/^.+\.$/)
  })

  test('of 366 days to the millisecond is answered', async () => {
    const reply = await api.get(calendarAddress({ ...year, to: '2031-01-02T00:00:00Z' }))
    expect([reply.status, reply.body]).toEqual([200, { entries: [], nextCursor: null }])
  })

  test('twice for one member is refused', async () => {
    expect(problem(await api.get(`${calendarAddress(year)}&from=2030-02-01T00:00:00Z`))).toEqual([
      400,
      'request.invalid',
    ])
  })

  test('needs no token, may be kept by anybody, and is not sent again unchanged', async () => {
    const reply = await api.get(calendarAddress(year))
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const etag = reply.headers.get('etag') as string
    expect((await api.get(calendarAddress(year), null, { 'if-none-match': etag })).status).toBe(304)
    const user = await api.user()
    expect((await api.get(calendarAddress(year), user)).headers.get('cache-control')).toBe('private, no-store')
  })
})

test('a page costs the same however full the calendar is: indexes alone, and nothing sorted but what is ongoing', async () => {
  await using api = await startHarness()
  const organiser = await api.user()
  await fillListing(api, organiser)
  await api.sql(
    `with made as (
       insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, starts_at, ends_at,
         registration_opens_at, registration_closes_at, links, organiser_guid)
       select 'cup-' || n, 'Cup', 'completed', 1, 1, 1, at, at + interval '2 days', at - interval '9 days',
         at - interval '1 day', '{}', $1
       from generate_series(1, 4000) n, lateral (select timestamptz '2021-01-01' + n * interval '5 hours' as at) t
       returning guid, starts_at),
     counted as (insert into tournament_counts (tournament_guid) select guid from made),
     planned as (
       insert into timeline_events (tournament_guid, title, icon, start_time, end_time)
       select guid, 'Round', 'flag', starts_at + k * interval '5 hours', starts_at + k * interval '6 hours'
       from made, generate_series(1, 3) k)
     insert into listings (platform_guid, tournament_guid, status, sort_at)
     select p.guid, m.guid, 'completed', m.starts_at from made m, platforms p where p.is_system`,
    [organiser.guid],
  )
  // Each tournament has two matches, one with a side that is not known yet; every fifth has a qualifier.
  await api.sql(
    `with entered as (
       insert into teams (tournament_guid, id, name, captain_guid)
       select guid, 'team', 'Team', $1 from tournaments where id like 'cup-%' returning guid, tournament_guid),
     divided as (
       insert into divisions (tournament_guid, id, name, "order")
       select guid, 'main', 'Main', 1 from tournaments where id like 'cup-%' returning guid, tournament_guid),
     drawn as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select tournament_guid, guid, 'Playoffs', 1, 'single_elimination', '{}', 'ready', 0 from divided
       returning guid, division_guid, tournament_guid),
     planned as (
       insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, team1_guid, sides,
         best_of, scheduled_at)
       select b.tournament_guid, b.division_guid, b.guid, n, 'upper', 1, 'waiting', e.guid, '[]', 3,
         t.starts_at + n * interval '3 hours'
       from drawn b join entered e using (tournament_guid) join tournaments t on t.guid = b.tournament_guid,
         generate_series(1, 2) n)
     insert into qualifiers (tournament_guid, status, opens_at, closes_at, attempts, hide_scores, method, settings)
     select guid, 'draft', starts_at - interval '9 days', starts_at - interval '2 days', 0, false, 'average_rank', '{}'
     from tournaments where id like 'cup-%0'`,
    [organiser.guid],
  )
  // Earlier rows as after an evening with many delayed streams, and more editions than there will ever be.
  await api.sql(
    `insert into earlier_rows (tournament_guid, relation, key, since, until, row)
     select m.tournament_guid, relation, m.guid::text, '-infinity', now() - n * interval '1 minute', to_jsonb(m)
     from (select * from matches order by guid limit 500) m, generate_series(1, 30) n,
       unnest(array['matches', 'brackets']) relation`,
  )
  await api.sql(
    `insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at,
       voting_closes_at, rules)
     select 'y' || n, 'Awards', '', 'published', at, at + interval '1 day', at + interval '2 days', at + interval '4 days', '{}'
     from generate_series(1, 300) n, lateral (select timestamptz '2021-01-01' + n * interval '4 days' as at) t`,
  )
  await api.sql('analyze')
  const plansOf = async (name: string) => {
    const { session } = api.app.database.db
    const found = await session.client.query('select statement from pg_prepared_statements where name = $1', [name])
    if (found.rows.length === 0) return []
    const { rows } = await session.client.query(`explain (generic_plan, costs off) ${found.rows[0].statement}`)
    return [rows.map((row) => row['QUERY PLAN']).join('\n')]
  }
  /** Connections take turns, and only some of them have prepared the statement. */
  const planOf = async (name: string) => {
    for (let turn = 0; turn < 100; turn++) {
      const [plan] = await plansOf(name)
      if (plan !== undefined) return plan
    }
    throw new Error(`no connection has prepared ${name}`)
  }

  /** Removes scans of editions: there are so few that no index is used for them. */
  const butEditions = (plan: string) => plan.replaceAll(/Seq Scan on award_editions/g, '')

  expect((await api.get(calendarAddress({ from: '2022-01-01T00:00:00Z', to: '2023-01-01T00:00:00Z' }))).status).toBe(
    200,
  )
  const many = await planOf('calendar.page_of_many')
  expect(many).toContain('Merge Append')
  for (const index of ['calendar', 'span', 'registration_calendar', 'registration_span']) {
    expect(many).toMatch(new RegExp(` (using|on) tournaments_${index}\\b`))
  }
  for (const index of ['calendar', 'span']) expect(many).toMatch(new RegExp(` (using|on) timeline_events_${index}\\b`))
  for (const index of ['calendar', 'span']) expect(many).toMatch(new RegExp(` (using|on) qualifiers_${index}\\b`))
  expect(many).toContain('using matches_calendar')
  expect(butEditions(many)).not.toMatch(/Seq Scan|Hash/)
  // One sort for each of the four other kinds of entries that began before the window, two for matches (current and
  // earlier rows), and one for each of the three phases of awards.
  expect(many.match(/-> {2}Sort\n/g)?.length).toBe(4 + 2 + 3)

  const circle = await makePlatform(api)
  await api.sql(`insert into listings select $1, guid, status, starts_at from tournaments where id = 'cup-1'`, [
    circle.guid,
  ])
  const range = { from: '2022-01-01T00:00:00Z', to: '2023-01-01T00:00:00Z', platform: circle.contextId }
  expect((await api.get(calendarAddress(range))).status).toBe(200)
  const few = await planOf('calendar.page_of_few')
  expect(few).toContain('using listings_order')
  expect(few).toContain('using timeline_events_order')
  expect(few).toContain('matches_calendar_of_tournament')
  expect(butEditions(few)).not.toMatch(/Seq Scan|Hash/)

  const [cup] = await api.sql<{ guid: string }>(`select guid from tournaments where id = 'cup-1'`)
  expect((await api.get(`/tournaments/${cup?.guid}/calendar.ics`)).status).toBe(200)
  expect(await planOf('calendar.of_tournament')).not.toMatch(/Seq Scan|Hash/)
})
