import { roundName } from '../../../engine/rounds.ts'
import type { Format, Section } from '../../../engine/types.ts'

/** The place of a match in its bracket, which its label is made of. */
export interface Place {
  readonly division: string
  readonly bracket: string
  readonly format: Format
  readonly section: Section
  readonly round: number
  /** The last round of the section. */
  readonly lastRound: number
  readonly groupIndex: number | null
}

/**
 * The label names the bracket, the group and the round, and the division if the tournament has several: “Playoffs ·
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

/** A to Z, then AA and so on. */
function groupName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : groupName(Math.floor(index / 26) - 1) + letter
}

interface Side {
  readonly team: object | null
  readonly bye: boolean
  readonly from: { readonly number: number; readonly outcome: 'winner' | 'loser' } | null
}

/** Returns the text for a side whose team is still unknown: “Winner of match 12”. (overlays: Data tree) */
export function placeholderOf({ team, bye, from }: Side): string | null {
  if (team !== null) return null
  if (bye) return 'Bye'
  if (from === null) return null
  return `${from.outcome === 'winner' ? 'Winner' : 'Loser'} of match ${from.number}`
}
