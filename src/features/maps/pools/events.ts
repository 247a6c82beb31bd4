import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import { type MapChange, type Song, songTags } from '../catalogue/events.ts'
import type { ChangeKind, Flair, PoolingSettings } from './types.ts'

/**
 * The tag of events that change the public view of pools, in any tournament. The first pages of the archive depend on
 * it.
 */
export const poolsTag = 'pools'

interface Used {
  readonly map: Song
  /** Present only if the caller may see it. */
  readonly usedBefore?: readonly { readonly tournament: { readonly guid: string } }[] | undefined
}

/** Returns the tags that the `usedBefore` lists depend on: the songs of the maps, and the tournaments in the lists. */
export function usedBeforeTags(maps: readonly Used[]): readonly string[] {
  const shown = maps.filter(({ usedBefore }) => usedBefore !== undefined)
  const used = shown.flatMap(({ usedBefore = [] }) => usedBefore.map(({ tournament }) => tournament.guid))
  return [...songTags(shown.map(({ map }) => map)), ...used]
}

interface Published {
  readonly name: string
  readonly revision: number
}

interface LoggedMaps {
  readonly maps: readonly { readonly poolMapGuid: string; readonly mapGuid: string; readonly name: string | null }[]
}

interface Corrected extends LoggedMaps {
  readonly revision: number
  readonly kind: ChangeKind
  readonly reason: string | null
}

interface Scheduled {
  readonly publishAt: string | null
}

interface Flairs {
  readonly flairs: readonly Flair[]
}

const settings = [
  'name',
  'description',
  'kind',
  'order',
  'slots',
  'playlistTitle',
  'playlistAuthor',
  'playlistDescription',
  'previewRoles',
  'cover',
] as const
type SettingMembers = { readonly [Name in (typeof settings)[number]]?: unknown }

/** Members of the events that only poolers see: maps, settings, and whether there is a preview key. */
type Drafted = SettingMembers &
  Partial<LoggedMaps> & { readonly kind?: string; readonly draftRevision?: number; readonly hasPreviewKey?: boolean }

export type PoolEvent =
  | TournamentEvent<'pool.created', { after: { readonly name: string; readonly kind: string } }>
  /** A change that outsiders do not see: in a draft, of an unreleased map, or of data for poolers. */
  | TournamentEvent<'pool.drafted', { before: Drafted; after: Drafted }>
  | TournamentEvent<'pool.scheduled', { before: Scheduled; after: Scheduled }>
  | TournamentEvent<'pool.published', { after: Published }>
  | TournamentEvent<'pool.corrected', { before: LoggedMaps; after: Corrected }>
  | TournamentEvent<'pool.map_released', { after: LoggedMaps & { readonly revision: number } }>
  /**
   * The import data of a map changed, or its key leads to another version now. Only for maps that the catalogue does
   * not publish. (D71)
   */
  | TournamentEvent<'pool.map_described', { before: MapChange; after: MapChange & { readonly poolMapGuid: string } }>
  /** Captains are notified of corrections. */
  | TournamentEvent<'pool.announced', { after: Published }>
  /** The name or the look of a published pool changed. */
  | TournamentEvent<'pool.updated', { before: SettingMembers; after: SettingMembers }>
  | TournamentEvent<'pool.unpublished', { after: { readonly reason: string }; rights: true }>
  | TournamentEvent<'pool.archived'>
  | TournamentEvent<'pool.unarchived'>
  | TournamentEvent<'pool.deleted', { before: { readonly name: string } }>
  | TournamentEvent<'flair.replaced', { before: Flairs; after: Flairs }>
  | TournamentEvent<'pooling.updated', { before: Partial<PoolingSettings>; after: Partial<PoolingSettings> }>

declare module '../../../core/events.ts' {
  interface Events {
    pools: PoolEvent
  }
}

/** Drafts are private to poolers. Of a published pool, the public sees its name, its revision and its corrections. */
export const poolsEvents: EventTable<PoolEvent> = {
  'pool.created': { subject: 'pool', members: { name: 'private', kind: 'private' } },
  'pool.drafted': {
    subject: 'pool',
    members: {
      ...everyMember(settings, 'private'),
      maps: 'private',
      kind: 'private',
      draftRevision: 'private',
      hasPreviewKey: 'private',
    },
  },
  'pool.scheduled': { subject: 'pool', members: { publishAt: 'private' } },
  'pool.published': { subject: 'pool', isPublic: true, members: { name: 'public', revision: 'public' } },
  'pool.corrected': {
    subject: 'pool',
    isPublic: true,
    members: { revision: 'public', kind: 'public', maps: 'public', reason: 'private' },
  },
  'pool.map_released': { subject: 'pool', isPublic: true, members: { revision: 'public', maps: 'public' } },
  'pool.map_described': {
    subject: 'pool',
    members: { poolMapGuid: 'private', state: 'private', currentHash: 'private' },
  },
  'pool.announced': { subject: 'pool', members: { name: 'private', revision: 'private' } },
  'pool.updated': {
    subject: 'pool',
    // The order is private, because it counts drafts, too.
    members: { ...everyMember(settings, 'public'), order: 'private', slots: 'private', previewRoles: 'private' },
  },
  'pool.unpublished': { subject: 'pool', isPublic: true, members: { reason: 'private' } },
  'pool.archived': { subject: 'pool', isPublic: true },
  'pool.unarchived': { subject: 'pool', isPublic: true },
  'pool.deleted': { subject: 'pool', members: { name: 'private' } },
  'flair.replaced': { subject: 'tournament', members: { flairs: 'private' } },
  'pooling.updated': { subject: 'tournament', members: { openSuggestions: 'private', hideVotes: 'private' } },
}
