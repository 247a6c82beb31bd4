import type { BracketWithMatches, Match } from '../../../../client/generated.ts'

/** How the matches of a bracket lie in the drawing. Everything follows from numbers; nothing is measured. */

export type Section = Match['section']

export interface DrawnRound {
  readonly key: string
  readonly name: string
  readonly number: number
  readonly bestOf: number
  readonly matches: readonly Match[]
}

export interface Part {
  readonly section: Section
  readonly rounds: readonly DrawnRound[]
  /** The most matches of a round: the height of the drawing. */
  readonly rows: number
}

const order: readonly Section[] = ['upper', 'swiss', 'group', 'lower', 'final', 'third_place']

/** The parts of a bracket in the order in which they are read: upper, lower, final. */
export function partsOf({ rounds, matches }: BracketWithMatches): readonly Part[] {
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  return order
    .map((section): Part => {
      const drawn = rounds
        .filter((round) => round.section === section)
        .map((round) => ({
          key: `${section}-${round.number}`,
          name: round.name,
          number: round.number,
          bestOf: round.bestOf,
          matches: round.matchGuids.map((guid) => byGuid.get(guid)).filter((match) => match !== undefined),
        }))
        .filter((round) => round.matches.length > 0)
      return { section, rounds: drawn, rows: Math.max(0, ...drawn.map((round) => round.matches.length)) }
    })
    .filter((part) => part.rounds.length > 0)
}

/** A line from a match to the one that its winner goes to, in the same part. */
export interface Wire {
  readonly key: string
  readonly from: Match
  readonly to: Match
  readonly column: number
  /** The middle of the matches as parts of the height of the drawing. */
  readonly start: number
  readonly end: number
  readonly toColumn: number
}

export function wiresOf({ rounds }: Part): readonly Wire[] {
  const places = new Map<string, { readonly column: number; readonly middle: number; readonly match: Match }>()
  rounds.forEach((round, column) => {
    round.matches.forEach((match, at) => {
      places.set(match.guid, { column, middle: (at + 0.5) / round.matches.length, match })
    })
  })
  return [...places.values()].flatMap(({ column, middle, match }) => {
    const next = match.nextMatchGuid === null ? undefined : places.get(match.nextMatchGuid)
    if (next === undefined || next.column <= column) return []
    return [
      { key: match.guid, from: match, to: next.match, column, start: middle, end: next.middle, toColumn: next.column },
    ]
  })
}

/** The matches that a team has in the bracket, in their order. */
export function pathOf(matches: readonly Match[], team: string): readonly Match[] {
  return matches
    .filter(({ sides }) => sides.some((side) => side.team?.guid === team || side.team?.id === team))
    .toSorted((one, other) => one.number - other.number)
}
