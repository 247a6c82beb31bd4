import { type Operation, parametersOf } from '../src/core/operation.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, makeTournament, type TournamentOptions } from './make.ts'

/** A tournament with a team in it: enough for every path parameter to name something that exists. */
export interface World {
  readonly organiser: Caller
  readonly captain: Caller
  readonly member: Caller
  readonly tournament: MadeTournament
  readonly team: string
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
  return { organiser, captain, member, tournament, team: team?.guid as string }
}

export const nobody = '00000000-0000-4000-8000-000000000000'

/** The operation's address in this world; what the world does not hold is named by a GUID that nothing has. */
export function addressOf(operation: Operation, world: World, unknown: readonly string[] = []): string {
  const values: Record<string, string> = {
    tournament: world.tournament.guid,
    team: world.team,
    user: world.member.guid,
    member: world.member.guid,
  }
  const filled = parametersOf(operation.path).reduce(
    (path, name) => path.replace(`:${name}`, unknown.includes(name) ? nobody : (values[name] ?? nobody)),
    operation.path,
  )
  return operation.root ? `/${filled}` : filled
}
