import type { Actor } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import { describeQualifier } from '../../../engine/qualifier-description.ts'
import type { QualifierInput, QualifierStandings } from '../../../engine/qualifier-types.ts'
import { qualifierStandings } from '../../../engine/qualifiers.ts'
import type { Db } from '../../../infra/db/database.ts'
import { sightOfStandings } from './policy.ts'
import { movesAt, statusAt } from './rules/status.ts'
import { type BestAttempt, type BoardPlayer, type BoardTeam, listBests, listPlayers, listTeams } from './store/board.ts'
import type { Qualifier, QualifierMap, QualifierStatus } from './types.ts'

/** Standings, and the records that they refer to. */
export interface Board {
  /** The engine's input. */
  readonly input: QualifierInput
  readonly standings: QualifierStandings
  /** All participating teams, in the order of their registration. */
  readonly teams: readonly BoardTeam[]
  readonly players: ReadonlyMap<string, BoardPlayer>
  readonly attempts: ReadonlyMap<string, BestAttempt>
}

/** Computes the standings from the ledger, the teams and the settings. */
export async function readBoard(db: Db, qualifier: Qualifier, maps: readonly QualifierMap[]): Promise<Board> {
  const [teams, players, attempts] = await Promise.all([
    listTeams(db, qualifier.tournamentGuid),
    listPlayers(db, qualifier.tournamentGuid),
    listBests(db, qualifier.guid),
  ])
  const input: QualifierInput = {
    method: qualifier.method,
    settings: qualifier.settings,
    maps: maps.map(({ guid, weight, maxScore }) => ({ map: guid, weight, maxScore })),
    players: players.map(({ guid, teamGuid, isActive, rankingRank }) => ({
      player: guid,
      team: teamGuid,
      isActive,
      rankingRank,
    })),
    teams: teams.map(({ guid }) => guid),
    attempts,
    cutoff: qualifier.cutoff,
  }
  return {
    input,
    standings: qualifierStandings(input),
    teams,
    players: new Map(players.map((player) => [player.guid, player])),
    attempts: new Map(attempts.map((attempt) => [attempt.attempt, attempt])),
  }
}

/** Standings as the caller may see them. */
export interface SeenBoard {
  readonly status: QualifierStatus
  readonly sight: ReturnType<typeof sightOfStandings>
  /** null for a caller who may not see the whole board. */
  readonly board: Board | null
}

/**
 * Reads as much of the standings as the caller may see. Ranks of other sites, which may decide ties, change with an
 * event of their own.
 */
export async function readSeenBoard(
  db: Db,
  { qualifier, maps }: { readonly qualifier: Qualifier; readonly maps: readonly QualifierMap[] },
  { actor, now }: { readonly actor: Actor; readonly now: Date },
  depends: Depends,
): Promise<SeenBoard> {
  const status = statusAt(qualifier, now)
  const sight = sightOfStandings(actor, qualifier, status)
  depends(qualifier.tournamentGuid)
  if (sight !== 'all') {
    if (status === 'draft') movesByItself(depends, qualifier, now)
    return { status, sight, board: null }
  }
  const board = await readBoard(db, qualifier, maps)
  depends(...board.players.keys())
  return { status, sight, board }
}

export function movesByItself(depends: Depends, qualifier: Qualifier, now: Date): void {
  const date = movesAt(qualifier, now)
  if (date !== null) depends.until(date)
}

/** @param isHidden whether the reader must not see scores */
export function descriptionOf(qualifier: Qualifier, mapCount: number, isHidden: boolean): string[] {
  const { method, modifiers, settings, attempts, cutoff } = qualifier
  return [
    ...describeQualifier({ method, modifiers, settings, maps: mapCount, attempts, cutoff }),
    ...(isHidden ? ['Scores are hidden until the qualifier is final.'] : []),
  ]
}
