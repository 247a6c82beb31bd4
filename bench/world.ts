import type { Runtime } from '../src/runtime.ts'

/** Records for benchmarks, inserted directly into the database. */

let sequence = 0

export interface Player {
  readonly guid: string
  readonly token: string
}

export async function makePlayer({ database, tokens }: Runtime): Promise<Player> {
  const number = ++sequence
  const { rows } = await database.pool.query<{ guid: string }>(
    `insert into users (chat_platform_id, username, preferred_name, avatar_url, description)
     values ($1, $2, $2, 'https://cdn.example.org/avatar.png', $3) returning guid`,
    [`9000000000${number}`, `player${number}`, 'Plays **fast** maps, and slow ones when nobody looks. '.repeat(3)],
  )
  const guid = rows[0]?.guid as string
  const subject = { guid, chatPlatformId: `9000000000${number}`, username: `player${number}`, avatarUrl: '' }
  const grant = { scopes: ['rest:write', 'ws:write'] as const, sessionGuid: null }
  const token = await database.transaction((tx) => tokens.issue(tx, subject, grant, new Date()))
  return { guid, token }
}

/** Returns the GUIDs of `count` approved and listed tournaments of one organiser, with open registration. */
export async function makeTournaments({ database }: Runtime, organiser: string, count: number): Promise<string[]> {
  const first = sequence
  sequence += count
  const { rows } = await database.pool.query<{ guid: string }>(
    `with made as (
       insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, links, organiser_guid,
         approved_at, starts_at)
       select 'bench-' || n, 'Bench cup ' || n, 'approved', 1, 4, 1,
         '{"chatInvite":null,"website":null,"stream":null,"rulesUrl":null}', $1, now(), now() + n * interval '1 minute'
       from generate_series($2::int + 1, $2::int + $3::int) as n
       returning guid, status, starts_at
     ), counted as (
       insert into tournament_counts (tournament_guid) select guid from made
     ), asked as (
       insert into visibility_requests (tournament_guid, platform_guid, status)
       select made.guid, platforms.guid, 'approved' from made, platforms where platforms.is_system
     ), listed as (
       insert into listings (platform_guid, tournament_guid, status, sort_at)
       select platforms.guid, made.guid, made.status, made.starts_at from made, platforms where platforms.is_system
     )
     select guid from made`,
    [organiser, first, count],
  )
  return rows.map((row) => row.guid)
}

export interface Entry {
  readonly tournament: string
  readonly team: string
  readonly captain: string
}

/** Creates one team of one in each of the tournaments, all with one captain. */
export async function makeTeams(
  { database }: Runtime,
  tournaments: readonly string[],
  captain: string,
): Promise<Entry[]> {
  const { rows } = await database.pool.query<Entry>(
    `with made as (
       insert into teams (tournament_guid, id, name, captain_guid)
       select guid, 'team', 'Team', $2 from unnest($1::uuid[]) as guid
       returning tournament_guid, guid, captain_guid
     ), joined as (
       insert into team_members (team_guid, tournament_guid, user_guid) select guid, tournament_guid, captain_guid from made
     ), counted as (
       update tournament_counts set teams = 1, players = 1 where tournament_guid = any($1::uuid[])
     )
     select tournament_guid as tournament, guid as team, captain_guid as captain from made`,
    [tournaments, captain],
  )
  return rows
}

/** Creates `count` teams of one in one tournament, each with its own captain. */
export async function makeEntrants({ database }: Runtime, tournament: string, count: number): Promise<Entry[]> {
  const first = sequence
  sequence += count
  const { rows } = await database.pool.query<Entry>(
    `with players as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select '9000000000' || n, 'player' || n, 'player' || n, '' from generate_series($2::int + 1, $2::int + $3::int) as n
       returning guid, username
     ), made as (
       insert into teams (tournament_guid, id, name, captain_guid) select $1, username, username, guid from players
       returning guid, captain_guid
     ), joined as (
       insert into team_members (team_guid, tournament_guid, user_guid) select guid, $1, captain_guid from made
     ), counted as (
       update tournament_counts set teams = teams + $3, players = players + $3 where tournament_guid = $1
     )
     select $1::uuid as tournament, guid as team, captain_guid as captain from made`,
    [tournament, first, count],
  )
  return rows
}
