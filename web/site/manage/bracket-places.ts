import type { BracketWithMatches, Match } from '../../../client/generated.ts'
import { planRoundRobin } from '../../../src/engine/round-robin.ts'

/** Which places of a bracket meet where it begins: in its first round, or in its groups. */

type Bracket = Pick<BracketWithMatches, 'format' | 'settings' | 'entrants' | 'rounds' | 'matches'>

/** The places of the two sides; null for a side that another match fills, and for a bye. */
export type Places = readonly [number | null, number | null]

/** The matches whose teams are known by their places, in the order of the drawing. */
export function firstMatches({ format, rounds, matches }: Bracket): readonly Match[] {
  if (format === 'round_robin') return matches.toSorted((one, other) => one.number - other.number)
  const section = format === 'swiss' ? 'swiss' : 'upper'
  const first = rounds.find((round) => round.section === section && round.number === 1)
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  return first?.matchGuids.flatMap((guid) => byGuid.get(guid) ?? []) ?? []
}

/** The places by the GUIDs of those matches. Trees count their places from above; others as the service plans them. */
export function placesOf(bracket: Bracket): ReadonlyMap<string, Places> {
  const first = firstMatches(bracket)
  const count = bracket.entrants.length
  if (bracket.format === 'round_robin') {
    const { groups = 1, distribution = 'snake', legs = 1, bestOf, bestOfByRound } = bracket.settings
    const seeds = bracket.entrants.map(({ seed }) => ({ seed, team: null }))
    const plan = planRoundRobin(seeds, { groups, distribution, legs: legs === 2 ? 2 : 1, bestOf, bestOfByRound })
    return new Map(
      first.map(({ guid }, at) => {
        const [one, other] = plan.matches[at]?.sides ?? []
        return [guid, [one?.slot ?? null, other?.slot ?? null]]
      }),
    )
  }
  if (bracket.format === 'swiss') {
    const half = Math.floor(count / 2)
    return new Map(
      first.map(({ guid }, at): [string, Places] => [guid, at < half ? [at + 1, half + at + 1] : [count, null]]),
    )
  }
  let last = 0
  const placeOf = ({ bye }: Match['sides'][number]) => {
    if (bye) return null
    last += 1
    return last
  }
  return new Map(
    first.map(({ guid, sides }) => {
      const [one, other] = sides.map(placeOf)
      return [guid, [one ?? null, other ?? null]]
    }),
  )
}

/** The bracket with a name in each of the places that have no team yet. */
export function withNames<Whole extends Bracket>(bracket: Whole, nameOf: (slot: number) => string): Whole {
  const places = placesOf(bracket)
  return {
    ...bracket,
    matches: bracket.matches.map((match) => {
      const held = places.get(match.guid)
      if (held === undefined) return match
      const sides = match.sides.map((side, at) => {
        const slot = held[at] ?? null
        if (slot === null || side.team !== null) return side
        return { ...side, team: { guid: `place ${slot}`, id: '', name: nameOf(slot), imageUrl: null, color: null } }
      })
      return { ...match, sides }
    }),
  }
}

/** The place that a place meets first; undefined where it has a bye, or plays in a group. */
export function opponentOf(bracket: Bracket, slot: number | undefined): number | undefined {
  if (slot === undefined || bracket.format === 'round_robin') return undefined
  const pair = [...placesOf(bracket).values()].find((places) => places.includes(slot))
  return pair?.find((other) => other !== null && other !== slot) ?? undefined
}
