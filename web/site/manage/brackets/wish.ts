import type { DivisionWithBrackets, ListedBracket, TeamReference } from '../../../../client/generated.ts'
import type { NewBracket } from '../../data/generated.ts'

/** What the wizard asks for, and the request that it becomes. */

export type Format = NewBracket['format']
export const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const satisfies Format[]

/** Where the teams come from: `kept` are those that are in it, `empty` are places without teams. */
export type Source = 'registered' | 'qualified' | 'bracket' | 'kept' | 'empty'

/** Teams that nothing parts, for places that not all of them get. (D67) */
export interface Tie {
  readonly groupIndex: number | null
  readonly places: readonly number[]
  readonly teams: readonly TeamReference[]
}

export interface TieDecision {
  readonly ties: readonly Tie[]
  readonly commitment: string
  readonly by: 'draw' | 'order'
  readonly reason: string
}

export interface Wish {
  readonly name: string
  readonly format: Format
  readonly source: Source
  /** At most so many teams, or so many empty places; null for all. */
  readonly size: number | null
  /** GUID of the bracket that teams come from. */
  readonly from: string
  /** So many of the best of it; of several groups, of each. */
  readonly places: number | null
  readonly tie: TieDecision | null
  readonly bestOf: number
  /** By `section:round`, where another length is wanted. */
  readonly bestOfByRound: Readonly<Record<string, number>>
  readonly seedOrdering: 'standard' | 'natural' | 'manual'
  readonly thirdPlace: boolean
  readonly grandFinal: 'none' | 'single' | 'reset'
  readonly groups: number | null
  readonly legs: string
  readonly distribution: 'snake' | 'sequential'
  readonly allowDraws: boolean
  readonly win: number | null
  readonly draw: number | null
  readonly loss: number | null
  readonly rounds: number | null
  readonly avoidRematches: boolean
  readonly atOnce: number | null
}

export const firstWish: Wish = {
  name: '',
  format: 'single_elimination',
  source: 'registered',
  size: null,
  from: '',
  places: 2,
  tie: null,
  bestOf: 3,
  bestOfByRound: {},
  seedOrdering: 'standard',
  thirdPlace: false,
  grandFinal: 'reset',
  groups: 2,
  legs: '1',
  distribution: 'snake',
  allowDraws: false,
  win: 3,
  draw: 1,
  loss: 0,
  rounds: null,
  avoidRematches: true,
  atOnce: 4,
}

/** The wish that a bracket has come from. */
export function wishOf({ name, format, settings, entrants }: ListedBracket): Wish {
  const { bestOf, bestOfByRound, seedOrdering, points, legs, groups, rounds } = settings
  return {
    ...firstWish,
    name,
    format,
    source: entrants.some(({ team }) => team !== null) ? 'kept' : 'empty',
    size: entrants.length,
    bestOf,
    bestOfByRound,
    seedOrdering,
    thirdPlace: settings.thirdPlace ?? firstWish.thirdPlace,
    grandFinal: settings.grandFinal ?? firstWish.grandFinal,
    groups: groups ?? firstWish.groups,
    legs: String(legs ?? firstWish.legs),
    distribution: settings.distribution ?? firstWish.distribution,
    allowDraws: settings.allowDraws ?? firstWish.allowDraws,
    ...points,
    rounds: rounds ?? firstWish.rounds,
    avoidRematches: settings.avoidRematches ?? firstWish.avoidRematches,
  }
}

function settingsOf(wish: Wish): NonNullable<NewBracket['settings']> {
  const { format, bestOf, bestOfByRound, seedOrdering, win, draw, loss } = wish
  const all = { bestOf, bestOfByRound }
  const points = { points: { win: win ?? 0, draw: draw ?? 0, loss: loss ?? 0 }, allowDraws: wish.allowDraws }
  switch (format) {
    case 'single_elimination':
      return { ...all, seedOrdering, thirdPlace: wish.thirdPlace }
    case 'double_elimination':
      return { ...all, seedOrdering, grandFinal: wish.grandFinal }
    case 'round_robin':
      return {
        ...all,
        ...points,
        groups: wish.groups ?? 1,
        legs: Number(wish.legs),
        distribution: wish.distribution,
      }
    case 'swiss':
      return {
        ...all,
        ...points,
        ...(wish.rounds !== null && { rounds: wish.rounds }),
        avoidRematches: wish.avoidRematches,
      }
  }
}

/** The bracket that teams come from, if it is there. */
export function sourceBracketOf({ source, from }: Wish, divisions: readonly DivisionWithBrackets[]) {
  if (source !== 'bracket') return undefined
  return divisions.flatMap(({ brackets }) => brackets).find(({ guid }) => guid === from)
}

export const groupsIn = ({ settings }: Pick<ListedBracket, 'settings'>): number => settings.groups ?? 1

/** How many teams each group of the other bracket has at least: so many places can be asked for. */
export const placesIn = (bracket: Pick<ListedBracket, 'settings' | 'entrants'>): number =>
  Math.max(1, Math.floor(bracket.entrants.length / groupsIn(bracket)))

interface Around {
  /** The bracket that is made again. */
  readonly again: ListedBracket | undefined
  /** The bracket that teams come from. */
  readonly other: ListedBracket | undefined
}

/** How many empty places wait for teams of a bracket that is not over. */
export const awaited = ({ places }: Wish, other: ListedBracket): number =>
  Math.max(2, Math.min(places ?? 1, placesIn(other)) * groupsIn(other))

function entrantsOf(wish: Wish, { again, other }: Around): NewBracket['entrants'] {
  const { source, size, from, places, tie } = wish
  if (source === 'empty') return { source: 'manual', teamGuids: [], size: size ?? 8 }
  if (source === 'kept') {
    const seeded = (again?.entrants ?? []).toSorted((one, next) => (one.seed ?? 0) - (next.seed ?? 0))
    return {
      source: 'manual',
      teamGuids: seeded.flatMap(({ team }) => team?.guid ?? []),
      size: Math.max(2, seeded.length),
    }
  }
  if (source !== 'bracket') return { source, ...(size !== null && { size }) }
  if (other !== undefined && other.status !== 'completed')
    return { source: 'manual', teamGuids: [], size: awaited(wish, other) }
  return {
    source,
    from: {
      bracketGuid: from,
      places: Array.from({ length: Math.max(1, places ?? 1) }, (_, at) => at + 1),
      ...(tie?.by === 'draw' && { draw: true }),
      ...(tie?.by === 'order' && {
        order: tie.ties.flatMap(({ teams }) => teams.map(({ guid }) => guid)),
        reason: tie.reason.trim() === '' ? '…' : tie.reason.trim(),
      }),
    },
  }
}

/** The request; without a name, too, what would be made can be seen. */
export function bodyOf(wish: Wish, around: Around, unnamed: string): NewBracket {
  return {
    name: wish.name.trim() === '' ? unnamed : wish.name.trim(),
    format: wish.format,
    settings: settingsOf(wish),
    entrants: entrantsOf(wish, around),
  }
}
