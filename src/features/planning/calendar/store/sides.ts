import type { EntryMatch, EntrySide } from '../types.ts'

/** What a match keeps of a side, as far as its title tells it. */
export interface StoredSide {
  readonly from: { readonly match: number; readonly outcome: 'winner' | 'loser' } | null
  readonly bye: boolean
}

interface Row {
  readonly sides: readonly StoredSide[] | null
  readonly team1: string | null
  readonly team2: string | null
}

export function sidesOf({ sides, team1, team2 }: Row): EntryMatch['sides'] {
  const sideOf = (name: string | null, stored: StoredSide | undefined): EntrySide => ({
    name,
    from: stored?.from ?? null,
    isBye: stored?.bye === true,
  })
  return [sideOf(team1, sides?.[0]), sideOf(team2, sides?.[1])]
}
