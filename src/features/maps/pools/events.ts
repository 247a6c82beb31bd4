import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { ChangeKind, Flair, PoolingSettings } from './types.ts'

/** Touched by whatever changes what everybody sees of pools, in any tournament. */
export const poolsTag = 'pools'

interface Named {
  readonly name: string
}
interface Drafted {
  readonly name?: string
  readonly [member: string]: unknown
}
interface Published {
  readonly name: string
  readonly revision: number
}
interface Corrected {
  readonly revision: number
  readonly kind: ChangeKind
}
interface MapsTold {
  readonly maps: readonly { readonly poolMapGuid: string; readonly mapGuid: string }[]
}
/** As everybody sees them. */
interface Shown {
  readonly name?: string
  readonly description?: string | null
  readonly order?: number
  readonly playlist?: unknown
  readonly cover?: 'set' | 'removed'
}

export type PoolEvent =
  | TournamentEvent<'pool.created', { after: Named & { readonly kind: string } }>
  /** What outsiders do not see has changed: a draft, a map that is not released, what is for poolers. */
  | TournamentEvent<'pool.drafted', { before: Drafted; after: Drafted }>
  | TournamentEvent<
      'pool.scheduled',
      { before: { readonly publishAt: string | null }; after: { readonly publishAt: string | null } }
    >
  | TournamentEvent<'pool.published', { after: Published }>
  | TournamentEvent<
      'pool.corrected',
      { before: MapsTold | null; after: Corrected & MapsTold & { readonly reason: string | null } }
    >
  | TournamentEvent<'pool.map_released', { after: { readonly revision: number } & MapsTold }>
  | TournamentEvent<'pool.updated', { before: Shown; after: Shown }>
  | TournamentEvent<'pool.unpublished', { after: { readonly reason: string } }>
  | TournamentEvent<'pool.archived'>
  | TournamentEvent<'pool.unarchived'>
  | TournamentEvent<'pool.deleted', { before: Named }>
  | TournamentEvent<
      'flair.replaced',
      { before: { readonly flairs: readonly Flair[] }; after: { readonly flairs: readonly Flair[] } }
    >
  | TournamentEvent<'pooling.updated', { before: Partial<PoolingSettings>; after: Partial<PoolingSettings> }>

declare module '../../../core/events.ts' {
  interface Events {
    pools: PoolEvent
  }
}
