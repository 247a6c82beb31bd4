import type { Match } from '../../../../engine/types.ts'
import { toEngine } from '../../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { Correction, KeptMatch } from '../../../brackets/results/types.ts'
import { reportFault } from './course.ts'
import type { Lie, WholeBracket } from './lies.ts'

/**
 * Corrections keep matches as they were, and an undo puts them back. What they keep must therefore be what the bracket
 * could hold: its own matches, in their places of the tree, with reports that the operations accept. Whether a match
 * was ever in that state cannot be computed, since withdrawals of that time are not recorded. (P6)
 */

/** What a correction needs to know of a bracket. */
export interface Outline {
  readonly allowDraws: boolean
  /** The fixed properties of its matches, by number. */
  readonly places: ReadonlyMap<number, string>
  readonly guids: ReadonlySet<string>
}

export function outlineOf({ bracket, matches }: WholeBracket): Outline {
  return {
    allowDraws: bracket.settings.allowDraws,
    places: new Map(matches.map((record: MatchRecord) => [record.number, placeOf(toEngine(record))])),
    guids: new Set(matches.map(({ guid }) => guid)),
  }
}

/** The properties of a match that never change, in one text. */
function placeOf({ section, round, group, conditional, winnerTo, loserTo, sides }: Match): string {
  const target = (to: Match['winnerTo']) => (to === null ? '-' : `${to.match}.${to.side}`)
  const ends = sides.map(({ slot, from, bye }) => [slot, from?.match, from?.outcome, bye])
  return JSON.stringify([section, round, group, conditional, target(winnerTo), target(loserTo), ends])
}

export function correctionLie(correction: Correction, outlines: ReadonlyMap<string, Outline>): Lie | null {
  const { guid, bracketGuid, matchGuid, before, after, returned } = correction
  const lie = (member: string, words: string): Lie => ({ kind: 'corrections', member, of: { guid }, words })
  if (bracketGuid !== null) {
    const outline = outlines.get(bracketGuid)
    if (outline?.guids.has(matchGuid) !== true) return lie('matchGuid', 'must be a match of the bracket')
    const [was, is] = [keptFault(before, outline), keptFault(after, outline)]
    if (was !== null) return lie('before', was)
    if (is !== null) return lie('after', is)
    return haveSameMatches(before, after) ? null : lie('after', 'must have the matches of "before"')
  }
  for (const each of returned?.brackets ?? []) {
    const outline = outlines.get(each.bracketGuid)
    // The bracket may be gone since.
    if (outline === undefined) continue
    const fault = keptFault(each.before, outline) ?? keptFault(each.after, outline)
    if (fault !== null) return lie('returned', fault)
    if (!haveSameMatches(each.before, each.after)) return lie('returned', 'must have the same matches before and after')
  }
  return null
}

function keptFault(kept: readonly KeptMatch[], { places, allowDraws }: Outline): string | null {
  for (const { match } of kept) {
    if (match.sides.length !== 2) return `has match ${match.number} without two sides`
    const place = places.get(match.number)
    if (place === undefined) return `has match ${match.number}, which is not in the bracket`
    if (place !== placeOf(match)) return `has match ${match.number} in another place of the bracket`
    const fault = reportFault(match, { allowDraws })
    if (fault !== null) return `has match ${match.number}, where "${fault.member}" ${fault.words}`
  }
  return null
}

function haveSameMatches(before: readonly KeptMatch[], after: readonly KeptMatch[]): boolean {
  const numbers = (kept: readonly KeptMatch[]) => kept.map(({ match }) => match.number).toSorted((a, b) => a - b)
  return numbers(before).join() === numbers(after).join()
}
