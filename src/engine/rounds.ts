/** The rounds of a bracket: their names and their matches. */

import type { Format, Match, Section } from './types.ts'

export interface Round {
  /** In its section, from 1. */
  readonly number: number
  readonly section: Section
  readonly name: string
  /** The most frequent best-of of its matches. */
  readonly bestOf: number
  /** The numbers of its matches. */
  readonly matches: readonly number[]
}

export interface RoundFacts {
  readonly format: Format
  /** The number of the last round in the section. */
  readonly last: number
}

/** The rounds in the order of play. Matches must be in the order of their numbers. A group round covers all groups. */
export function rounds(
  matches: readonly Pick<Match, 'number' | 'section' | 'round' | 'bestOf'>[],
  format: Format,
): readonly Round[] {
  const last = new Map<Section, number>()
  for (const { section, round } of matches) last.set(section, Math.max(round, last.get(section) ?? 0))
  return [...Map.groupBy(matches, ({ section, round }) => `${section}:${round}`).values()].flatMap((members) => {
    const [first] = members
    if (first === undefined) return []
    const { section, round } = first
    const name = roundName(section, round, { format, last: last.get(section) ?? round })
    const bestOf = mostFrequent(members.map((member) => member.bestOf))
    return [{ number: round, section, name, bestOf, matches: members.map(({ number }) => number) }]
  })
}

/** The display name of a round: "Quarter-finals", "Lower round 3", "Grand final reset", "Round 2". */
export function roundName(section: Section, round: number, facts: RoundFacts): string {
  switch (section) {
    case 'upper': {
      const name = knockoutName(facts.last - round)
      return facts.format === 'double_elimination' ? `Upper ${name.toLowerCase()}` : name
    }
    case 'lower':
      return round === facts.last ? 'Lower final' : `Lower round ${round}`
    case 'final':
      return round === 1 ? 'Grand final' : 'Grand final reset'
    case 'third_place':
      return 'Third place'
    case 'group':
    case 'swiss':
      return `Round ${round}`
  }
}

function knockoutName(roundsLeft: number): string {
  return ['Final', 'Semi-finals', 'Quarter-finals'][roundsLeft] ?? `Round of ${2 ** (roundsLeft + 1)}`
}

/** The most frequent value; the first one where several are equally frequent. */
function mostFrequent(values: readonly number[]): number {
  const groups = [...Map.groupBy(values, (value) => value)]
  const [value] = groups.reduce((most, group) => (group[1].length > most[1].length ? group : most))
  return value
}
