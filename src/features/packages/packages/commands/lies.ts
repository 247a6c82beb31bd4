import type { Match } from '../../../../engine/types.ts'
import type { Bracket, BracketEntrant } from '../../../brackets/brackets/types.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'

/** A row that cannot be as it is, because of other rows. */
export interface Lie {
  /** The kind of the row. */
  readonly kind: string
  /** null where the row as a whole is wrong. */
  readonly member: string | null
  /** The members that identify the row, with the GUIDs that it has here. */
  readonly of: Readonly<Record<string, string | number>>
  /** The end of a sentence about the member. */
  readonly words: string
}

/** A bracket with all that its result is computed from. */
export interface WholeBracket {
  readonly bracket: Bracket
  /** By slot. */
  readonly entrants: readonly BracketEntrant[]
  /** By number. */
  readonly matches: readonly MatchRecord[]
}

export const ofBracket = ({ guid }: Pick<Bracket, 'guid'>, member: string | null, words: string): Lie => ({
  kind: 'brackets',
  member,
  of: { guid },
  words,
})

export const ofEntrant = (
  { guid }: Pick<Bracket, 'guid'>,
  { slot }: Pick<BracketEntrant, 'slot'>,
  member: string,
  words: string,
): Lie => ({ kind: 'entrants', member, of: { bracketGuid: guid, slot }, words })

export const ofMatch = ({ guid }: Pick<MatchRecord, 'guid'>, member: string | null, words: string): Lie => ({
  kind: 'matches',
  member,
  of: { guid },
  words,
})

/** The lie of the first item that has one. */
export function firstLie<T>(items: readonly T[], lieOf: (item: T, index: number) => Lie | null): Lie | null {
  for (const [index, item] of items.entries()) {
    const lie = lieOf(item, index)
    if (lie !== null) return lie
  }
  return null
}

/** A value in a sentence. */
export const shown = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Where the team of a side comes from. */
export function originOf({ slot, from, bye }: Match['sides'][number]): string {
  if (bye) return 'a bye'
  if (from !== null) return `the ${from.outcome} of match ${from.match}`
  return slot === null ? 'open' : `the team of slot ${slot}`
}
