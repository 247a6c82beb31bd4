import { type Static, Type } from 'typebox'
import { RenderedDescription } from '../../../../core/rendered.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { UserCard } from '../../../people/users/views.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { maxPlaylistTitle, maxSlotCount } from '../rules/settings.ts'
import { changeKinds, failureCodes, type Pool, poolKinds, poolStatuses } from '../types.ts'
import { PoolMapView } from './map.ts'

export const SlotView = Type.Object({
  flairGuid: Guid,
  count: Type.Integer({ minimum: 1, maximum: maxSlotCount, examples: [2] }),
})

export const FailureView = Type.Object({
  code: oneOf(failureCodes),
  poolMapGuid: Type.Optional(Guid),
  flairGuid: Type.Optional(Guid),
})

export const ChangeView = Type.Object(
  {
    revision: Type.Integer({ examples: [2] }),
    at: Instant,
    kind: oneOf(changeKinds),
    before: nullable(Type.Array(PoolMapView), 'What was taken out or changed.'),
    after: nullable(Type.Array(PoolMapView), 'What was added, or what has become of it.'),
    reason: nullable(Type.String({ examples: ['The mapper uploaded a new version.'] })),
    by: nullable(UserCard, 'For poolers.'),
  },
  { title: 'PoolChange' },
)
export type ChangeView = Static<typeof ChangeView>

export const PlaylistSettingsView = Type.Object({
  title: Type.String({ examples: ['Spring Cup – Quarter-finals'] }),
  author: Type.String({ examples: ['Spring Cup'] }),
  description: Type.String(),
})

/** The members of a pool that everybody sees, except its maps. */
export const poolMembers = {
  guid: Guid,
  tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }),
  name: Type.String({ examples: ['Quarter-finals'] }),
  description: nullable(Type.String(), 'Markdown.'),
  kind: oneOf(poolKinds),
  order: Type.Integer({
    description: 'Among the pools of the tournament that the viewer sees, from 0.',
    examples: [0],
  }),
  status: oneOf(poolStatuses),
  publishAt: nullable(Instant, 'Set of a draft that is scheduled.'),
  publishedAt: nullable(Instant),
  archivedAt: nullable(Instant),
  revision: nullable(Type.Integer({ examples: [1] }), 'Grows with each correction; null in drafts.'),
  playlist: PlaylistSettingsView,
  coverUrl: Type.String(),
  playlistUrl: Type.String({ description: 'What the game’s playlist manager loads, and loads again.' }),
  createdAt: Instant,
  updatedAt: Instant,
}

/** (pools: Records) */
export const PoolView = Type.Object(
  {
    ...poolMembers,
    html: Type.Optional(RenderedDescription),
    maps: Type.Array(PoolMapView, { description: 'In order.' }),
    changes: Type.Array(ChangeView, { description: 'Since the publication, newest first; the last hundred.' }),
    limited: Type.Optional(Type.Boolean({ description: 'The list has too many maps: read the pools one by one.' })),
    draftRevision: Type.Optional(Type.Integer({ description: 'For poolers, as all that follows.', examples: [7] })),
    slots: Type.Optional(Type.Array(SlotView)),
    previewRoles: Type.Optional(Type.Array(oneOf(tournamentRoles))),
    hasPreviewKey: Type.Optional(Type.Boolean()),
    failures: Type.Optional(Type.Array(FailureView, { description: 'What would keep it from being published now.' })),
    inSync: Type.Optional(
      Type.Boolean({
        description:
          'For heads, of a pool for the qualifier: whether that has the same maps, in this order, weighed alike.',
      }),
    ),
  },
  { title: 'Pool' },
)
export type PoolView = Static<typeof PoolView>

export interface PoolFacts {
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name'>
  readonly pool: Pool
  /** Position among the pools that the viewer sees. */
  readonly order: number
  readonly maps: readonly PoolMapView[]
  readonly changes: readonly ChangeView[]
  /** null for viewers who are no poolers. */
  readonly drafting: Pick<PoolView, 'failures' | 'inSync'> | null
  readonly publicUrl: string
}

export function coverUrlOf(
  publicUrl: string,
  { guid, coverHash, name }: Pick<Pool, 'guid' | 'coverHash' | 'name'>,
): string {
  const version = coverHash ?? encodeURIComponent(name)
  return `${publicUrl}/api/resources/pooling/pools/${guid}/cover?v=${version}`
}

/** Renames, corrections and archiving do not change it. (pools: Playlist and CSV, rule 1) */
export function playlistUrlOf(publicUrl: string, { guid }: Pick<Pool, 'guid'>): string {
  return `${publicUrl}/api/resources/pooling/pools/${guid}/playlist.bplist`
}

/**
 * Returns the playlist's texts as set, otherwise made from the names. A title made from two very long names is cut to
 * the maximum length. (pools: Records)
 */
export function playlistSettings(
  pool: Pick<Pool, 'name' | 'playlistTitle' | 'playlistAuthor' | 'playlistDescription'>,
  { name }: Pick<Tournament, 'name'>,
): Static<typeof PlaylistSettingsView> {
  return {
    title: pool.playlistTitle ?? Array.from(`${name} – ${pool.name}`).slice(0, maxPlaylistTitle).join(''),
    author: pool.playlistAuthor ?? name,
    description: pool.playlistDescription,
  }
}

export function poolView({ tournament, pool, order, maps, changes, drafting, publicUrl }: PoolFacts): PoolView {
  const { guid, name, description, kind, status, publishedAt, shownAt } = pool
  const isShownAs = drafting === null && publishedAt !== null
  return {
    guid,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    name,
    description,
    kind,
    order,
    status,
    publishAt: formatInstant(pool.publishAt),
    publishedAt: formatInstant(publishedAt),
    archivedAt: formatInstant(pool.archivedAt),
    revision: pool.revision,
    playlist: playlistSettings(pool, tournament),
    coverUrl: coverUrlOf(publicUrl, pool),
    playlistUrl: playlistUrlOf(publicUrl, pool),
    // The real times would reveal when the draft was created and changed.
    createdAt: formatInstant(isShownAs ? publishedAt : pool.createdAt),
    updatedAt: formatInstant(isShownAs ? (shownAt ?? publishedAt) : pool.updatedAt),
    maps: [...maps],
    changes: [...changes],
    ...(drafting === null
      ? {}
      : {
          draftRevision: pool.draftRevision,
          slots: pool.slots.map((slot) => ({ ...slot })),
          previewRoles: [...pool.previewRoles],
          hasPreviewKey: pool.previewKeyHash !== null,
          ...drafting,
        }),
  }
}
