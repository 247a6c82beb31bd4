import { roundName } from '../../../../engine/rounds.ts'
import type { Format, Section } from '../../../../engine/types.ts'

/** What a match is called by, as it stands in its bracket. */
export interface Place {
  readonly division: string
  readonly bracket: string
  readonly format: Format
  readonly section: Section
  readonly round: number
  /** The last one of the section. */
  readonly lastRound: number
  readonly groupIndex: number | null
}

/**
 * A match is called by its bracket, its group and its round, and by its division where the tournament has several: “Playoffs ·
 * Upper semi-finals”. (overlays: Data tree)
 */
export function labelOf(place: Place, hasDivisions: boolean): string {
  const { division, bracket, format, section, round, lastRound, groupIndex } = place
  return [
    ...(hasDivisions ? [division] : []),
    bracket,
    ...(groupIndex === null ? [] : [`Group ${groupName(groupIndex)}`]),
    roundName(section, round, { format, last: lastRound }),
  ].join(' · ')
}

/** A to Z, then AA. */
function groupName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : groupName(Math.floor(index / 26) - 1) + letter
}

interface Side {
  readonly team: object | null
  readonly bye: boolean
  readonly from: { readonly number: number; readonly outcome: 'winner' | 'loser' } | null
}

/** Who will play where nobody is known yet: “Winner of match 12”. (overlays: Data tree) */
export function placeholderOf({ team, bye, from }: Side): string | null {
  if (team !== null) return null
  if (bye) return 'Bye'
  if (from === null) return null
  return `${from.outcome === 'winner' ? 'Winner' : 'Loser'} of match ${from.number}`
}
