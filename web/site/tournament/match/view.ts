import type { FlowState, Match } from '../../../../client/generated.ts'
import { type Side, sideName } from '../../parts/match.tsx'
import type { Index, People } from './people.ts'

/** What all parts of the page show: the match, and how it is picked and played. */

export interface View {
  readonly match: Match
  readonly tournament: string
  readonly division: string
  /** How it is to be picked and played; before it begins. */
  readonly planned: FlowState | undefined
  /** How it is picked and played; undefined for a match that is played without a flow. */
  readonly session: FlowState | undefined
  readonly people: People
  /** The tournament's zone. */
  readonly zone: string | undefined
  /** Who plays and by which flow is still asked for. */
  readonly isLoading: boolean
  /** The reader has hidden the scores. (W22) */
  readonly isHidden: boolean
}

export type PoolMap = NonNullable<FlowState['pool']>['maps'][number]

export const sideAt = ({ match }: Pick<View, 'match'>, at: Index): Side => match.sides[at] as Side
export const nameAt = (view: Pick<View, 'match'>, at: Index): string => sideName(sideAt(view, at))

/** The side of a seat; seats are numbered from 1. */
export const indexOf = (seat: number | null): Index | null => (seat === 1 ? 0 : seat === 2 ? 1 : null)

/** What a view has of the seats and of the pool. */
export interface Named {
  readonly planned: Pick<FlowState, 'pool'> | undefined
  readonly session: Pick<FlowState, 'pool' | 'seats'> | undefined
}

export function poolMap({ session, planned }: Named, guid: string | null): PoolMap | undefined {
  return (session ?? planned)?.pool?.maps.find((each) => each.guid === guid)
}

/** Whether anything of the match was played. */
export const isBegun = ({ match: { status } }: Pick<View, 'match'>): boolean =>
  status === 'running' || status === 'completed'

/** The name of a map, with the beginning of its hash where the catalogue has none. */
export const titleOf = ({ name, subName, hash }: PoolMap['map']): string =>
  name === null ? hash.slice(0, 8) : [name, subName].filter(Boolean).join(' ')
