import type { SignedIn } from '../../../../core/actor.ts'
import { readName } from '../../../../core/names.ts'
import { invalid, missing } from '../../../../core/problem.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Threads } from '../../../../infra/threads/threads.ts'
import { listBannedMods } from '../../../assistant/assistantLinks/store.ts'
import { maySeePool } from '../../../maps/pools/policy.ts'
import { findPool } from '../../../maps/pools/store/pools.ts'
import { findTeamByGuid } from '../../../teams/teams/store/teams.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { WrittenSession } from '../../flowSessions/commands/log.ts'
import { checkFlow } from '../rules.ts'
import { settledFlow, storeSession } from './beginning.ts'
import { mapsOf, namedFlow, seatFor } from './matches.ts'

/** Sessions without a match: lobbies, showmatches, rehearsals. (match-flows: FFA) */

export interface FreeInput {
  readonly flow: string
  readonly pool: string
  readonly seats: readonly { readonly teamGuid?: string | undefined; readonly name?: string | undefined }[]
  readonly public: boolean
  readonly bestOf?: number | null | undefined
  readonly speakers?: readonly { readonly seat: number; readonly users: readonly string[] }[] | undefined
  readonly startsInSeconds?: number | undefined
  readonly viewDelaySeconds?: number | undefined
}

/**
 * @throws Problem `tournament.cancelled`, `flow.unknown`, `pool.unknown`, `team.unknown`, `flow.seats_invalid`,
 * `flow.invalid`, `flow.too_many_live`, `flow.limit_reached`
 */
export async function beginFree(
  tx: Tx,
  actor: SignedIn,
  threads: Threads,
  tournament: Tournament,
  input: FreeInput,
): Promise<WrittenSession> {
  checkNotCancelled(tournament)
  const named = await namedFlow(tx, tournament, input.flow)
  const pool = await findPool(tx, input.pool)
  if (pool === undefined || pool.tournamentGuid !== tournament.guid || !maySeePool(actor, pool)) {
    throw missing('pool.unknown', 'There is no such pool in this tournament.')
  }
  if (input.seats.length !== named.flow.seats) {
    throw invalid('flow.seats_invalid', `The flow has ${named.flow.seats} seats; name who sits in each.`)
  }
  const [teams, maps, bannedMods] = await Promise.all([
    Promise.all(input.seats.map((seat, index) => seatOf(tx, tournament, index + 1, seat))),
    mapsOf(tx, actor, pool),
    listBannedMods(tx, tournament.guid),
  ])
  checkSeats(teams)
  const flow = settledFlow(named.flow, {
    bestOf: input.bestOf ?? null,
    teamSize: tournament.teamSizeActive,
    viewDelaySeconds: input.viewDelaySeconds,
  })
  await checkFlow(threads, flow, {
    ...(flow.bestOf === null ? {} : { bestOf: flow.bestOf }),
    pool: maps.map(({ flair, isTiebreaker }) => ({ flair: flair?.name ?? null, isTiebreaker })),
    teamSize: tournament.teamSizeActive,
    seedsKnown: true,
    elimination: false,
  })
  if (flow.rules.play.mode === 'best_of' && flow.bestOf === null) {
    throw invalid('flow.seats_invalid', 'The flow fits any length: give `bestOf`.')
  }
  return storeSession(tx, actor, {
    tournament,
    matchGuid: null,
    isPublic: input.public,
    startsInSeconds: input.startsInSeconds ?? 0,
    flow: { guid: named.guid, name: named.name },
    pool: { guid: pool.guid, name: pool.name },
    speakers: input.speakers ?? [],
    data: { flow, pool: maps, teams, bannedMods, allowDraws: true, scheduledAt: null },
  })
}

/** The seed of a seat is its number. */
async function seatOf(
  tx: Tx,
  tournament: Tournament,
  seat: number,
  { teamGuid, name }: FreeInput['seats'][number],
): Promise<SeatTeam> {
  if (teamGuid === undefined) {
    if (name === undefined) throw invalid('flow.seats_invalid', 'Give for each seat a `teamGuid` or a `name`.')
    const read = readName(name)
    if (!read.ok) throw invalid('flow.seats_invalid', `The name of seat ${seat} ${read.reason}.`)
    return { seat, team: null, name: read.value, seed: seat, captain: null, members: [] }
  }
  const team = await findTeamByGuid(tx, teamGuid)
  if (team === undefined || team.tournamentGuid !== tournament.guid) {
    throw missing('team.unknown', 'There is no such team in this tournament.')
  }
  return seatFor(tx, seat, team.guid, seat)
}

function checkSeats(teams: readonly SeatTeam[]): void {
  const named = teams.flatMap(({ team }) => team ?? [])
  if (new Set(named).size < named.length) throw invalid('flow.seats_invalid', 'A team sits in one seat alone.')
}
