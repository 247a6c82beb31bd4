import { planElimination } from '../elimination.ts'
import { planRoundRobin } from '../round-robin.ts'
import type { Match, Side, Target } from '../types.ts'
import type { EstimateBracket, EstimateProblem } from './types.ts'

/** No team is known for a side yet; no team will ever be. */
export const unknown = -1
export const empty = -2
/** No match. */
export const none = -1

/** A match in the order of play, which all runs share. */
export interface Fixture {
  readonly bracket: number
  /** From 0, in the order of the bracket's numbers. */
  readonly index: number
  readonly bestOf: number
  /** For each side the index of the place that fills it, or one of `unknown` and `empty`. */
  readonly sides: readonly [number, number]
  readonly winnerTo: Exit | null
  readonly loserTo: Exit | null
  readonly conditional: boolean
  /** The group of a round robin; 0 elsewhere. */
  readonly group: number
}

/** The side of another match, by its position in the order of play. */
export interface Exit {
  readonly match: number
  readonly side: 0 | 1
}

/** The matches of a bracket by their positions in the order of play. */
export interface Layout {
  readonly bracket: EstimateBracket
  readonly matches: readonly number[]
  /** For Swiss brackets the number of matches in each round, at most; 0 in other formats, which have no such rounds. */
  readonly tables: number
}

export interface Programme {
  readonly fixtures: readonly Fixture[]
  readonly layouts: readonly Layout[]
}

type Draft = Pick<Match, 'bestOf' | 'winnerTo' | 'loserTo' | 'conditional'> & {
  readonly sides: Fixture['sides']
  readonly group: number
}

/**
 * All matches of the evening, made by the engine itself. They are called in the order of their numbers; matches of
 * several brackets in turns, so that brackets of different sizes advance alike.
 */
export function programmeOf({ brackets }: Pick<EstimateProblem, 'brackets'>): Programme {
  const drafts = brackets.map(draftsOf)
  const order = drafts
    .flatMap((each, bracket) => each.map((_, index) => ({ bracket, index, part: (index + 0.5) / each.length })))
    .toSorted((one, other) => one.part - other.part || one.bracket - other.bracket)
  const positions = drafts.map((each) => new Array<number>(each.length).fill(none))
  for (const [position, { bracket, index }] of order.entries()) {
    const own = positions[bracket]
    if (own !== undefined) own[index] = position
  }
  const exitOf = (bracket: number, target: Target | null): Exit | null =>
    target && { match: positions[bracket]?.[target.match - 1] ?? none, side: target.side }
  return {
    fixtures: order.flatMap(({ bracket, index }) => {
      const draft = drafts[bracket]?.[index]
      if (draft === undefined) return []
      const [winnerTo, loserTo] = [exitOf(bracket, draft.winnerTo), exitOf(bracket, draft.loserTo)]
      return { ...draft, bracket, index, winnerTo, loserTo }
    }),
    layouts: brackets.map((bracket, index) => ({
      bracket,
      matches: positions[index] ?? [],
      tables: bracket.format === 'swiss' ? Math.floor(bracket.places.length / 2) : 0,
    })),
  }
}

/** The matches of a bracket. Teams get the index of their place as a name. */
function draftsOf({ format, settings, places }: EstimateBracket): readonly Draft[] {
  const seeded = places.map((_, index) => ({ seed: index + 1, team: String(index) }))
  if (format === 'swiss') return swissTables(settings, Math.floor(places.length / 2))
  const { matches } =
    format === 'round_robin' ? planRoundRobin(seeded, settings) : planElimination(seeded, format, settings)
  return matches.map(({ bestOf, sides: [first, second], winnerTo, loserTo, conditional, group }) => ({
    bestOf,
    winnerTo,
    loserTo,
    conditional,
    group: group ?? 0,
    sides: [placeOf(first), placeOf(second)],
  }))
}

/** The matches of a Swiss bracket before it is paired; byes are no matches. */
function swissTables({ rounds, bestOf, bestOfByRound }: EstimateBracket['settings'], tables: number): readonly Draft[] {
  return Array.from({ length: rounds * tables }, (_, index) => ({
    bestOf: bestOfByRound[`swiss:${Math.floor(index / tables) + 1}`] ?? bestOf,
    sides: [unknown, unknown],
    winnerTo: null,
    loserTo: null,
    conditional: false,
    group: 0,
  }))
}

function placeOf({ team, bye }: Side): number {
  if (bye) return empty
  return team === null ? unknown : Number(team)
}
