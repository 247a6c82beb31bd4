import { type SQL, sql } from 'drizzle-orm'
import type { MatchStatus, Outcome } from '../../../../engine/types.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import type { EntryCourse, EntrySide } from '../types.ts'

/** A side as saved with a match, as far as the title of an entry needs it. */
export interface StoredSide {
  readonly from: { readonly match: number; readonly outcome: 'winner' | 'loser' } | null
  readonly bye: boolean
  readonly result?: string | null
}

/**
 * The selected columns of a match apart from its teams.
 * @param column returns a column of the match as it is shown, with its type
 */
export function courseColumns(column: (name: string, type: string) => SQL) {
  return {
    sides: sql<readonly StoredSide[] | null>`${column('sides', 'jsonb')}`,
    bestOf: sql<number>`${column('best_of', 'int')}`,
    status: sql<MatchStatus>`${column('status', 'text')}`,
    outcome: sql<Outcome | null>`${column('outcome', 'text')}`,
    conditional: sql<boolean>`${column('conditional', 'bool')}`,
    games: sql<number>`jsonb_array_length(${column('games', 'jsonb')})`,
    startedAt: sql<Date | null>`${column('started_at', 'timestamptz')}`.mapWith(matches.startedAt),
    completedAt: sql<Date | null>`${column('completed_at', 'timestamptz')}`.mapWith(matches.completedAt),
  }
}

interface Row extends Omit<EntryCourse, 'sides'> {
  readonly sides: readonly StoredSide[] | null
  readonly team1: string | null
  readonly team2: string | null
}

export function courseOf({ sides, team1, team2, ...course }: Row): EntryCourse {
  const sideOf = (name: string | null, stored: StoredSide | undefined): EntrySide => ({
    name,
    from: stored?.from ?? null,
    isBye: stored?.bye === true,
    hasWon: stored?.result === 'win',
  })
  const { bestOf, status, outcome, conditional, games, startedAt, completedAt } = course
  return {
    sides: [sideOf(team1, sides?.[0]), sideOf(team2, sides?.[1])],
    bestOf,
    status,
    outcome,
    conditional,
    games,
    startedAt,
    completedAt,
  }
}
