import { type Operation, parametersOf } from '../src/core/operation.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadePlatform, type MadeTournament, makePlatform, makeTournament, type TournamentOptions } from './make.ts'

/**
 * A tournament with a team and an update in it, and a platform that it has asked: enough for every path parameter to name
 * something that exists.
 */
export interface World {
  readonly organiser: Caller
  readonly captain: Caller
  readonly member: Caller
  readonly tournament: MadeTournament
  readonly team: string
  readonly update: string
  readonly platform: MadePlatform
  /** Of the tournament to the platform, by GUID. */
  readonly visibilityRequest: string
}

export async function makeWorld(api: Harness, options: TournamentOptions = {}): Promise<World> {
  const [organiser, captain, member] = await Promise.all([api.user(), api.user(), api.user()])
  const tournament = await makeTournament(api, organiser, options)
  const [team] = await api.sql<{ guid: string }>(
    'insert into teams (tournament_guid, id, name, captain_guid) values ($1, $2, $2, $3) returning guid',
    [tournament.guid, 'the-team', captain.guid],
  )
  await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3), ($1, $2, $4)', [
    team?.guid,
    tournament.guid,
    captain.guid,
    member.guid,
  ])
  await api.sql('update tournament_counts set teams = 1, players = 2 where tournament_guid = $1', [tournament.guid])
  const [update] = await api.sql<{ guid: string }>(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
     values (gen_random_uuid(), $1, $2, 'Finals moved', 'To **Sunday**.', '[]', '') returning guid`,
    [tournament.guid, organiser.guid],
  )
  const platform = await makePlatform(api)
  const [request] = await api.sql<{ guid: string }>(
    `insert into visibility_requests (tournament_guid, platform_guid, status) values ($1, $2, 'pending') returning guid`,
    [tournament.guid, platform.guid],
  )
  return {
    ...{ organiser, captain, member, tournament, platform },
    team: team?.guid as string,
    update: update?.guid as string,
    visibilityRequest: request?.guid as string,
  }
}

export const nobody = '00000000-0000-4000-8000-000000000000'

/** The operation's address in this world; what the world does not hold is named by a GUID that nothing has. */
export function addressOf(operation: Operation, world: World, unknown: readonly string[] = []): string {
  const values: Record<string, string> = {
    tournament: world.tournament.guid,
    team: world.team,
    update: world.update,
    user: world.member.guid,
    member: world.member.guid,
    platform: world.platform.contextId,
    visibilityRequest: world.visibilityRequest,
  }
  const filled = parametersOf(operation.path).reduce(
    (path, name) => path.replace(`:${name}`, unknown.includes(name) ? nobody : (values[name] ?? nobody)),
    operation.path,
  )
  return operation.root ? `/${filled}` : filled
}
