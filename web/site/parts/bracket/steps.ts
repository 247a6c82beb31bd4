import type { Match } from '../../../../client/generated.ts'
import { type Part, pathOf, sideOf } from './layout.ts'

/** Where keys lead in the drawing of a bracket. */

interface Place {
  readonly part: Part
  readonly column: number
  readonly at: number
}

/** A bye is no match that could be opened. */
export const isLinked = ({ outcome }: Match): boolean => outcome !== 'bye'

export class Steps {
  readonly #parts: readonly Part[]
  readonly #all: readonly Match[]
  readonly #byGuid: ReadonlyMap<string, Match>
  readonly #places: ReadonlyMap<string, Place>

  constructor(parts: readonly Part[]) {
    this.#parts = parts
    this.#all = parts.flatMap((part) => part.rounds.flatMap((round) => round.matches))
    this.#byGuid = new Map(this.#all.map((match) => [match.guid, match]))
    this.#places = new Map(
      parts.flatMap((part) =>
        part.rounds.flatMap((round, column) =>
          round.matches.map((match, at) => [match.guid, { part, column, at }] as const),
        ),
      ),
    )
  }

  get first(): Match | undefined {
    return this.#all.find(isLinked)
  }

  find(guid: string | undefined): Match | undefined {
    return guid === undefined ? undefined : this.#byGuid.get(guid)
  }

  /** The match that the key leads to from this one. */
  from(match: Match, key: string): Match | undefined {
    const place = this.#places.get(match.guid)
    if (place === undefined) return undefined
    const { part, column, at } = place
    const matches = part.rounds[column]?.matches ?? []
    const isMirrored = document.documentElement.dir === 'rtl'
    switch (key) {
      case 'ArrowDown':
        return matches.slice(at + 1).find(isLinked)
      case 'ArrowUp':
        return matches.slice(0, at).findLast(isLinked)
      case 'ArrowRight':
        return isMirrored ? this.#back(match, place) : this.#forward(match, place)
      case 'ArrowLeft':
        return isMirrored ? this.#forward(match, place) : this.#back(match, place)
      case 'Home':
        return this.#row(part)[0]?.find(isLinked)
      case 'End':
        return this.#row(part).at(-1)?.find(isLinked)
      default:
        return undefined
    }
  }

  /** The match of the team after this one; after its last one its first. */
  next(match: Match, team: string): Match | undefined {
    const path = pathOf(this.#all, team).filter(isLinked)
    const at = path.indexOf(match)
    return path[(at + 1) % path.length]
  }

  #forward(match: Match, { part, column, at }: Place): Match | undefined {
    for (let next = this.find(match.nextMatchGuid ?? undefined); next !== undefined; ) {
      if (isLinked(next)) return next
      next = this.find(next.nextMatchGuid ?? undefined)
    }
    return isTree(part) ? undefined : near(part, column + 1, at)
  }

  /** The match that a side comes from: one of the same part, else that of another. */
  #back(match: Match, { part, column, at }: Place): Match | undefined {
    if (!isTree(part)) return near(part, column - 1, at)
    const feeders = match.sides
      .map(({ from }) => this.find(from?.matchGuid))
      .filter((feeder) => feeder !== undefined && isLinked(feeder))
    return feeders.find((feeder) => feeder?.section === match.section) ?? feeders[0]
  }

  /** The rounds that stand in a row: the final is behind the upper bracket. */
  #row({ section, rounds }: Part): readonly (readonly Match[])[] {
    const isMain = section === 'upper' || section === 'final'
    const row = isMain
      ? this.#parts
          .filter((part) => part.section === 'upper' || part.section === 'final')
          .flatMap((part) => part.rounds)
      : rounds
    return row.map(({ matches }) => matches).filter((matches) => matches.some(isLinked))
  }
}

/** The team that `f` follows at a match: the winner, else the first side that is known; with the shift key the other one. */
export function toFollow(match: Match, isOther: boolean, followed: string | undefined): string | undefined {
  const teams = match.sides.flatMap(({ team, result }) => (team === null ? [] : [{ guid: team.guid, result }]))
  const chosen = isOther
    ? teams.find(({ guid }) => guid !== followed)
    : (teams.find(({ result }) => result === 'win') ?? teams[0])
  return chosen?.guid
}

export const plays = (match: Match, team: string | undefined): boolean => sideOf(match, team) >= 0

const isTree = ({ section }: Part): boolean => section !== 'group' && section !== 'swiss'

/** The match next to it, in a round that no line leads to. */
function near({ rounds }: Part, column: number, at: number): Match | undefined {
  const matches = rounds[column]?.matches ?? []
  return matches.slice(0, at + 1).findLast(isLinked) ?? matches.find(isLinked)
}
