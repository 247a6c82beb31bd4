import type pg from 'pg'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const teams = 500
const reads = 40

/**
 * Reads the registration desk of 500 teams of four, whose members have links and whose answers are judged. Compared with
 * the SQL that reads the same rows. The page's limit differs each time, so that no answer is cached.
 */
export async function registrationDesk({ url, runtime }: Service): Promise<Row[]> {
  const { pool } = runtime.database
  const organiser = await makePlayer(runtime)
  const [tournament = ''] = await makeTournaments(runtime, organiser.guid, 1)
  await fill(pool, tournament)
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

async function fill(pool: pg.Pool, tournament: string): Promise<void> {
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
       select '6600000000' || n, 'desk-' || n, 'Desk ' || n, '', case when n % 3 > 0 then now() end
       from generate_series(1, 4 * $2::int) n returning guid, substr(username, 6)::int as n),
     linked as (
       insert into identities (user_guid, platform, external_id, verified_at) select guid, 'ranking-a', 'desk-' || n, now()
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
    [tournament, teams, ...fields.map(({ guid }) => guid)],
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
