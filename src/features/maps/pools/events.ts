import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import { type MapChange, type Song, songTags } from '../catalogue/events.ts'
import type { ChangeKind, Flair, PoolingSettings } from './types.ts'

/** Touched by whatever changes what everybody sees of pools, in any tournament: each may come to the first pages of the archive. */
export const poolsTag = 'pools'

interface Used {
  readonly map: Song
  /** Only where the caller is shown it. */
  readonly usedBefore?: readonly { readonly tournament: { readonly guid: string } }[] | undefined
}

/** What is told of where maps were used before was made from the songs, and from the tournaments of what is told. */
export function usedBeforeTags(maps: readonly Used[]): readonly string[] {
  const shown = maps.filter(({ usedBefore }) => usedBefore !== undefined)
  const used = shown.flatMap(({ usedBefore = [] }) => usedBefore.map(({ tournament }) => tournament.guid))
  return [...songTags(shown.map(({ map }) => map)), ...used]
}

interface Published {
  readonly name: string
  readonly revision: number
}

interface ToldMaps {
  readonly maps: readonly { readonly poolMapGuid: string; readonly mapGuid: string; readonly name: string | null }[]
}

interface Corrected extends ToldMaps {
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

/** What a write among poolers may tell of: maps, settings, or whether there is a key. */
type Drafted = SettingMembers &
  Partial<ToldMaps> & { readonly kind?: string; readonly draftRevision?: number; readonly hasPreviewKey?: boolean }

export type PoolEvent =
  | TournamentEvent<'pool.created', { after: { readonly name: string; readonly kind: string } }>
  /** Something that outsiders do not see: a draft, a map that is not released, what is for poolers. */
  | TournamentEvent<'pool.drafted', { before: Drafted; after: Drafted }>
  | TournamentEvent<'pool.scheduled', { before: Scheduled; after: Scheduled }>
  | TournamentEvent<'pool.published', { after: Published }>
  | TournamentEvent<'pool.corrected', { before: ToldMaps; after: Corrected }>
  | TournamentEvent<'pool.map_released', { after: ToldMaps & { readonly revision: number } }>
  /** Of a map that the catalogue does not publish an import told more, or its key leads elsewhere now. (D71) */
  | TournamentEvent<'pool.map_described', { before: MapChange; after: MapChange & { readonly poolMapGuid: string } }>
  /** Captains are to be told of what was corrected. */
  | TournamentEvent<'pool.announced', { after: Published }>
  /** Of a published one: how it is called, and looks. */
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

/** Everything in a draft is for poolers; what everybody is told of a published pool is its name, its revision, and what was done. */
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
    // Its place is told among drafts, too.
    members: { ...everyMember(settings, 'public'), order: 'private', slots: 'private', previewRoles: 'private' },
  },
  'pool.unpublished': { subject: 'pool', isPublic: true, members: { reason: 'private' } },
  'pool.archived': { subject: 'pool', isPublic: true },
  'pool.unarchived': { subject: 'pool', isPublic: true },
  'pool.deleted': { subject: 'pool', members: { name: 'private' } },
  'flair.replaced': { subject: 'tournament', members: { flairs: 'private' } },
  'pooling.updated': { subject: 'tournament', members: { openSuggestions: 'private', hideVotes: 'private' } },
}
