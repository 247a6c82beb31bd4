import type pg from 'pg'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

/** The teams of the desk. */
export const teams = 500
const reads = 40

/**
 * Reads the registration desk of 500 teams of four, whose members have links and whose answers are judged. Compared with
 * the SQL that reads the same rows. The page's limit differs each time, so that no answer is cached.
 */
export async function registrationDesk({ url, runtime }: Service): Promise<Row[]> {
  const { pool } = runtime.database
  const organiser = await makePlayer(runtime)
  const [tournament = ''] = await makeTournaments(runtime, organiser.guid, 1)
  await fillDesk(pool, tournament)
  const bare = async (limit: number) => {
    const page = await pool.query<{ guid: string }>({
      name: 'bare_desk_teams',
      text: `select teams.*, note, n.updated_at as noted_at from teams left join team_notes n on n.team_guid = teams.guid
        where tournament_guid = $1 order by created_at, guid limit $2`,
      values: [tournament, limit + 1],
    })
    const guids = page.rows.map(({ guid }) => guid)
    await pool.query({ name: 'bare_desk_players', text: players, values: [guids] })
    await pool.query({
      name: 'bare_desk_answers',
      text: 'select * from field_answers where team_guid = any($1::uuid[])',
      values: [guids],
    })
  }
  const ours = (limit: number) =>
    ask(`${url}/api/tournaments/${tournament}/registrations?limit=${limit}`, organiser.token)
  return [
    await compare(
      `registration desk, ${teams} teams of four`,
      3,
      (read) => ours(teams - read),
      (read) => bare(teams - read),
    ),
  ]
}

const players = `select m.*, u.guid, preferred_name, chat_platform_id, anonymised_at, email_verified_at, country,
  (select json_agg(i) from identities i where i.user_guid = u.guid) as links
  from team_members m join users u on u.guid = m.user_guid where m.team_guid = any($1::uuid[]) order by m.joined_at, u.guid`

/** Teams of four with links, answers and notes; the players of each tournament have names with four letters of its own. */
export async function fillDesk(pool: pg.Pool, tournament: string, letters = 'desk'): Promise<void> {
  const field = (guid: string, subject: string) => ({
    guid,
    label: subject,
    help: null,
    type: 'text',
    required: true,
    options: [],
    subject,
    private: false,
  })
  const fields = [
    field('7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', 'team'),
    field('7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a12', 'player'),
  ]
  await pool.query(`update tournaments set additional_fields = $2, requirements = $3 where guid = $1`, [
    tournament,
    JSON.stringify(fields),
    JSON.stringify({ emailVerified: true, verifiedLinks: true }),
  ])
  await pool.query(
    `with players as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url, email_verified_at)
       select $5::text || n, $6 || '-' || n, 'Desk ' || n, '', case when n % 3 > 0 then now() end
       from generate_series(1, 4 * $2::int) n returning guid, substr(username, 6)::int as n),
     linked as (
       insert into identities (user_guid, platform, external_id, verified_at) select guid, 'ranking-a', $6 || '-' || n, now()
       from players),
     made as (
       insert into teams (tournament_guid, id, name, captain_guid) select $1, 'desk-' || n, 'Desk ' || n, guid from players
       where n <= $2 returning guid, substr(id, 6)::int as n),
     joined as (
       insert into team_members (team_guid, tournament_guid, user_guid)
       select made.guid, $1, players.guid from made join players on players.n % $2 = made.n % $2),
     noted as (insert into team_notes (team_guid, note, updated_at) select guid, 'Paid.', now() from made),
     answered as (
       insert into field_answers (team_guid, field_guid, response) select guid, $3, '"Europe"' from made)
     insert into field_answers (team_guid, field_guid, user_guid, response)
     select made.guid, $4, players.guid, '"L"' from made join players on players.n % $2 = made.n % $2`,
    [tournament, teams, ...fields.map(({ guid }) => guid), letters === 'desk' ? '6600000000' : '6700000000', letters],
  )
  await pool.query('analyze')
}

async function ask(address: string, token: string): Promise<void> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}`)
  await answer.arrayBuffer()
}

/** Does both in turns, so that other work of the machine affects both, and compares the medians. */
async function compare(
  work: string,
  bound: number,
  ours: (read: number) => Promise<void>,
  bare: (read: number) => Promise<void>,
): Promise<Row> {
  const taken = { ours: [] as number[], bare: [] as number[] }
  for (let read = 0; read < reads + 10; read++) {
    for (const [which, run] of [
      ['bare', bare],
      ['ours', ours],
    ] as const) {
      const started = performance.now()
      await run(read)
      // The first reads include the planning of statements.
      if (read >= 10) taken[which].push(performance.now() - started)
    }
  }
  const [mine, theirs] = [median(taken.ours), median(taken.bare)]
  const figures = `${mine.toFixed(1)} ms against ${theirs.toFixed(1)} ms`
  return below(work, 'the bare SQL of the same rows', mine / theirs, bound, '', figures)
}

const tournaments = 20
const matchesEach = 8

/**
 * Reads the agenda of somebody in 20 tournaments: in ten as a player of a team that registration judges, in ten as
 * staff, each with matches, an open sheet and a date. Compared with the SQL that reads the same rows.
 */
export async function agendas({ url, runtime }: Service): Promise<Row[]> {
  const { pool } = runtime.database
  const [organiser, user] = [await makePlayer(runtime), await makePlayer(runtime)]
  const guids = await makeTournaments(runtime, organiser.guid, tournaments)
  await fillAgenda(pool, guids, user.guid, organiser.guid)
  const bare = async () => {
    const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
    const places = await run('bare_places', placesSql, [user.guid])
    const teamGuids = places.rows.flatMap(({ team_guid }) => (team_guid === null ? [] : [team_guid]))
    const own = await run('bare_matches', matchesSql, [user.guid, teamGuids])
    await run('bare_streams', 'select * from stream_assignments where user_guid = $1 and ends_at >= now()', [user.guid])
    await run(
      'bare_sheets',
      `select *, exists (select from availability_responses r where r.sheet_guid = s.guid and r.user_guid = $2)
       from availability_sheets s where tournament_guid = any($1::uuid[]) and (closes_at is null or closes_at > now())`,
      [guids, user.guid],
    )
    await run(
      'bare_invitations',
      `select * from team_invitations i join teams t on t.guid = i.team_guid join tournaments o on o.guid = i.tournament_guid
       where i.user_guid = $1 and i.status = 'pending'`,
      [user.guid],
    )
    await run('bare_desk_players', players, [teamGuids])
    const sides = [...new Set(own.rows.flatMap((row) => [row.team1_guid, row.team2_guid]))]
    await run('bare_sides', 'select guid, id, name, image_url, color from teams where guid = any($1::uuid[])', [sides])
  }
  const ours = () => ask(`${url}/api/users/@me/agenda`, user.token)
  return [await compare(`agenda of somebody in ${tournaments} tournaments`, 2.5, ours, bare)]
}

const placesSql = `select o.*, c.registered, m.team_guid, t.*, q.status, q.opens_at, q.closes_at, array(
    select h.role from tournament_role_holders h where h.tournament_guid = o.guid and h.user_guid = $1)
  from tournaments o join tournament_counts c on c.tournament_guid = o.guid
  left join team_members m on m.tournament_guid = o.guid and m.user_guid = $1
  left join teams t on t.guid = m.team_guid left join qualifiers q on q.tournament_guid = o.guid
  where o.guid in (select tournament_guid from team_members where user_guid = $1
    union select tournament_guid from tournament_role_holders where user_guid = $1) and o.status in ('approved', 'ongoing')`

const matchesSql = `select m.*, o.name, d.name, b.name from (
    select guid from matches where team1_guid = any($2::uuid[]) union select guid from matches where team2_guid = any($2::uuid[])
    union select match_guid from match_officials where user_guid = $1) mine
  join matches m on m.guid = mine.guid join tournaments o on o.guid = m.tournament_guid
  join divisions d on d.guid = m.division_guid join brackets b on b.guid = m.bracket_guid
  where m.scheduled_at between now() and now() + interval '30 days' order by m.scheduled_at`

async function fillAgenda(pool: pg.Pool, guids: readonly string[], user: string, organiser: string): Promise<void> {
  const [played, staffed] = [guids.slice(0, tournaments / 2), guids.slice(tournaments / 2)]
  await pool.query(
    `update tournaments set starts_at = now() + interval '2 days', requirements = '{"emailVerified":true}'
     where guid = any($1::uuid[])`,
    [guids],
  )
  await pool.query(
    `insert into tournament_role_holders (tournament_guid, user_guid, role) select guid, $2, 'role:referee'
     from unnest($1::uuid[]) guid`,
    [staffed, user],
  )
  await pool.query(
    `insert into availability_sheets (tournament_guid, created_by_guid, audience, team_eligibility, slot_minutes,
       accepted_statuses, title, mode, roles, timezone, windows)
     select guid, $2, 'staff', 'both', 15, '{available}', 'Finals', 'days', '{}', 'UTC', '[]' from unnest($1::uuid[]) guid`,
    [guids, organiser],
  )
  for (const [name, captain, among] of [
    ['mine', user, played],
    ['other', organiser, guids],
  ] as const) {
    await pool.query(
      `with made as (
         insert into teams (tournament_guid, id, name, captain_guid, status, roster_locked, registered_at)
         select guid, $3, $3, $2, 'registered', true, now() from unnest($1::uuid[]) guid
         returning guid, tournament_guid, captain_guid),
       counted as (
         update tournament_counts set teams = teams + 1, registered = registered + 1
         where tournament_guid = any($1::uuid[]))
       insert into team_members (team_guid, tournament_guid, user_guid) select guid, tournament_guid, captain_guid from made`,
      [among, captain, name],
    )
  }
  await pool.query(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order")
       select guid, 'main', 'Main', 1 from unnest($1::uuid[]) guid returning guid, tournament_guid),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select tournament_guid, guid, 'Playoffs', 1, 'single_elimination', '{}', 'running', 1 from division
       returning guid, division_guid, tournament_guid),
     made as (
       insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, team1_guid,
         team2_guid, sides, best_of, scheduled_at)
       select b.tournament_guid, b.division_guid, b.guid, n, 'upper', 1, 'ready', mine.guid, other.guid,
         '[{"slot":1,"from":null,"bye":false,"empty":false,"score":0,"result":null},
           {"slot":2,"from":null,"bye":false,"empty":false,"score":0,"result":null}]', 3, now() + n * interval '1 hour'
       from bracket b
       left join teams mine on mine.tournament_guid = b.tournament_guid and mine.id = 'mine'
       join teams other on other.tournament_guid = b.tournament_guid and other.id = 'other',
         generate_series(1, $2::int) n
       returning guid, tournament_guid)
     insert into match_officials (match_guid, user_guid, role) select guid, $4, 'role:referee' from made
     where tournament_guid = any($3::uuid[])`,
    [guids, matchesEach, staffed, user],
  )
  await pool.query('analyze')
}
