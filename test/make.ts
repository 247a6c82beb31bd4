import { nameKeysOf } from '../src/core/names.ts'
import type { Scope } from '../src/core/scopes.ts'
import { playedTag } from '../src/features/people/users/views.ts'
import { digestOf, newSecret } from '../src/infra/secrets.ts'
import type { Caller, Harness, Reply } from './harness.ts'

/** Records for tests, inserted directly into the database; a test uses the API for the things that it is about. */

export interface MadeTournament {
  readonly guid: string
  readonly id: string
}

export interface TournamentOptions {
  readonly id?: string
  readonly name?: string
  readonly status?: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
  /** Whether the system platform has approved it; true by default unless it is a draft. */
  readonly approved?: boolean
  readonly teamSize?: { readonly min: number; readonly max: number; readonly active: number }
  readonly capacity?: number | null
  readonly publicRegistration?: boolean
  readonly startsAt?: Date | null
  readonly endsAt?: Date | null
  readonly registrationOpensAt?: Date | null
  readonly registrationClosesAt?: Date | null
  readonly rosterLocksAt?: Date | null
  readonly requirements?: object
  readonly additionalFields?: readonly object[]
}

let sequence = 0

export async function makeTournament(
  api: Harness,
  organiser: Caller,
  options: TournamentOptions = {},
): Promise<MadeTournament> {
  const id = options.id ?? `cup-${process.pid}-${++sequence}`
  const status = options.status ?? 'approved'
  const approved = options.approved ?? status !== 'draft'
  const { min, max, active } = options.teamSize ?? { min: 1, max: 4, active: 1 }
  const [row] = await api.sql<{ guid: string }>(
    `insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, capacity, public_registration,
       starts_at, ends_at, registration_opens_at, registration_closes_at, roster_locks_at, requirements, additional_fields,
       links, organiser_guid, approved_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
       '{"chatInvite":null,"website":null,"stream":null,"rulesUrl":null}', $16, $17) returning guid`,
    [
      id,
      options.name ?? `Tournament ${id}`,
      status,
      min,
      max,
      active,
      options.capacity ?? null,
      options.publicRegistration ?? true,
      options.startsAt ?? null,
      options.endsAt ?? null,
      options.registrationOpensAt ?? null,
      options.registrationClosesAt ?? null,
      options.rosterLocksAt ?? null,
      JSON.stringify(options.requirements ?? {}),
      JSON.stringify(options.additionalFields ?? []),
      organiser.guid,
      approved ? new Date() : null,
    ],
  )
  const guid = row?.guid as string
  await api.sql('insert into tournament_counts (tournament_guid) values ($1)', [guid])
  if (approved) {
    await api.sql(
      `insert into visibility_requests (tournament_guid, platform_guid, status, decided_at)
       select $1, guid, 'approved', now() from platforms where is_system`,
      [guid],
    )
    if (['approved', 'ongoing', 'completed'].includes(status)) {
      await api.sql(
        `insert into listings (platform_guid, tournament_guid, status, sort_at)
         select guid, $1, $2, coalesce($3, to_timestamp(0)) from platforms where is_system`,
        [guid, status, options.startsAt ?? null],
      )
    }
  }
  await touch(api, guid)
  return { guid, id }
}

/** Invalidates the service's caches of lists and records, because inserted rows emit no events. */
export async function touch(api: Harness, ...guids: readonly string[]): Promise<void> {
  await api.sql(`select emit_event('test.arranged', null, null, null, null, null, $1)`, [[...guids, playedTag]])
}

/** Reads until the response is cached: the first read may find earlier events. */
export async function remembered(api: Harness, path: string): Promise<Reply> {
  await api.get(path)
  await api.get(path)
  return api.get(path)
}

export async function grantRole(api: Harness, tournament: MadeTournament, user: Caller, role: string): Promise<void> {
  await api.sql('insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, $3)', [
    tournament.guid,
    user.guid,
    role,
  ])
}

/** A user with a role in the tournament. */
export async function roleHolder(api: Harness, tournament: MadeTournament, role: string): Promise<Caller> {
  const user = await api.user()
  await grantRole(api, tournament, user, role)
  return user
}

export interface MadePlatform {
  readonly guid: string
  readonly contextId: string
}

/** A platform without members, settings or requests. */
export async function makePlatform(
  api: Harness,
  options: { readonly contextId?: string; readonly name?: string } = {},
): Promise<MadePlatform> {
  const contextId = options.contextId ?? `circle-${process.pid}-${++sequence}`
  const [row] = await api.sql<{ guid: string }>(
    'insert into platforms (context_id, name) values ($1, $2) returning guid',
    [contextId, options.name ?? `Platform ${contextId}`],
  )
  const guid = row?.guid as string
  await touch(api, guid)
  return { guid, contextId }
}

/** A user who is a member of the platform's review team. */
export async function platformMember(
  api: Harness,
  platform: { readonly guid: string },
  role: 'admin' | 'reviewer',
): Promise<Caller> {
  const user = await api.user()
  await api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
    platform.guid,
    user.guid,
    role,
  ])
  return user
}

export interface MadeTeam {
  readonly guid: string
  readonly id: string
  readonly name: string
}

export interface TeamOptions {
  readonly id?: string
  readonly name?: string
  /** In addition to the captain. */
  readonly members?: readonly Caller[]
  /** A registered or qualified team has a locked roster. */
  readonly status?: 'unregistered' | 'registered' | 'qualified'
}

/** A team whose captain and members are all active. */
export async function makeTeam(
  api: Harness,
  tournament: MadeTournament,
  captain: Caller,
  options: TeamOptions = {},
): Promise<MadeTeam> {
  const id = options.id ?? `team-${process.pid}-${++sequence}`
  const name = options.name ?? `Team ${id}`
  const { nameKey, nameLook } = nameKeysOf(name)
  const status = options.status ?? 'unregistered'
  const isRegistered = status !== 'unregistered'
  const players = [captain, ...(options.members ?? [])]
  const [row] = await api.sql<{ guid: string }>(
    `insert into teams (tournament_guid, id, name, name_key, name_look, captain_guid, status, roster_locked, registered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning guid`,
    [
      ...[tournament.guid, id, name, nameKey, nameLook, captain.guid],
      ...[status, isRegistered, isRegistered ? new Date() : null],
    ],
  )
  const guid = row?.guid as string
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid, joined_at)
     select $1, $2, user_guid, now() + order_in_team * interval '1 ms'
     from unnest($3::uuid[]) with ordinality as players (user_guid, order_in_team)`,
    [guid, tournament.guid, players.map((player) => player.guid)],
  )
  await api.sql(
    `update tournament_counts set teams = teams + 1, players = players + $2, registered = registered + $3,
       qualified = qualified + $4 where tournament_guid = $1`,
    [tournament.guid, players.length, isRegistered ? 1 : 0, status === 'qualified' ? 1 : 0],
  )
  return { guid, id, name }
}

export interface MadeApplication {
  readonly clientId: string
  /** Null for public applications. */
  readonly clientSecret: string | null
}

export interface ApplicationOptions {
  readonly name?: string
  readonly type?: 'confidential' | 'public'
  readonly scopes?: readonly Scope[]
  readonly redirectUris?: readonly string[]
}

/** An OAuth application of the owner. */
export async function makeApplication(
  api: Harness,
  owner: { readonly guid: string },
  options: ApplicationOptions = {},
): Promise<MadeApplication> {
  const clientSecret = options.type === 'public' ? null : newSecret()
  const [row] = await api.sql<{ client_id: string }>(
    `insert into applications (owner_guid, name, type, scopes, redirect_uris, secret_hash)
     values ($1, $2, $3, $4, $5, $6) returning client_id`,
    [
      owner.guid,
      options.name ?? `Application ${++sequence}`,
      options.type ?? 'confidential',
      options.scopes ?? ['rest:write', 'ws:write'],
      options.redirectUris ?? ['https://client.example/callback'],
      clientSecret === null ? null : digestOf(clientSecret),
    ],
  )
  return { clientId: row?.client_id as string, clientSecret }
}
