import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { nameKeyOf } from '../../../../core/names.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { aiMarks, characteristicPattern, difficulties, mapStates, requirements } from '../../../maps/catalogue/types.ts'
import { FlairsBody, mapSettings } from '../../../maps/pools/bodies.ts'
import { maxNote, maxStaffNote, modifiers, playerOptions } from '../../../maps/pools/rules/maps.ts'
import {
  maxDescription,
  maxName,
  maxPlaylistAuthor,
  maxPlaylistDescription,
  maxPlaylistTitle,
  maxSlotCount,
} from '../../../maps/pools/rules/settings.ts'
import { flairs, poolCovers, poolingSettings, poolMaps, pools } from '../../../maps/pools/tables.ts'
import { failureCodes, poolKinds, poolStatuses } from '../../../maps/pools/types.ts'
import { suggestions } from '../../../maps/suggestions/tables.ts'
import {
  Counter,
  Figure,
  Hash,
  like,
  listLike,
  markdownUpTo,
  nameLike,
  nameUpTo,
  someOf,
  textUpTo,
  wordLike,
  wordOf,
  workUpTo,
} from './bounds.ts'
import {
  address,
  columnsOf,
  drawn,
  follows,
  forStaff,
  type Here,
  kind,
  member,
  never,
  ofTournament,
  person,
  plain,
  type Row,
  typed,
} from './kind.ts'

const { flairs: flairList } = FlairsBody.properties
const flair = flairList.items.properties
/** Of each map and each flair. */
const mostFailures = 1_000

const Failure = Type.Object({
  code: oneOf(failureCodes),
  poolMapGuid: Type.Optional(Guid),
  flairGuid: Type.Optional(Guid),
})

export const poolsKind = kind(
  'pools',
  columnsOf(pools, {
    ...{ guid: plain, tournamentGuid: ofTournament, name: typed(nameUpTo(maxName)), nameKey: follows('pools.name') },
    ...{ description: typed(markdownUpTo(maxDescription)), kind: typed(oneOf(poolKinds)), order: plain },
    ...{ status: typed(oneOf(poolStatuses)), publishAt: plain, publishedAt: plain, archivedAt: plain },
    ...{ revision: plain, lastRevision: plain, draftRevision: plain },
    slots: typed(
      listLike(flairList, Type.Object({ flairGuid: Guid, count: Type.Integer({ minimum: 0, maximum: maxSlotCount }) })),
    ),
    ...{ playlistTitle: typed(nameUpTo(maxPlaylistTitle, 'text')), playlistAuthor: typed(nameUpTo(maxPlaylistAuthor)) },
    ...{ playlistDescription: typed(textUpTo(maxPlaylistDescription)), coverHash: drawn },
    previewRoles: typed(someOf(tournamentRoles)),
    previewKeyHash: never('the digest of a secret'),
    forcedFailures: typed(Type.Array(Failure, { maxItems: mostFailures })),
    ...{ announcedAt: plain, announceAt: plain, checkedAt: plain, createdAt: plain, updatedAt: plain, shownAt: plain },
  }),
  {
    open: {
      members: [
        ...['guid', 'name', 'description', 'kind', 'order', 'status', 'publishedAt', 'archivedAt', 'revision'],
        ...['playlistTitle', 'playlistAuthor', 'playlistDescription', 'coverHash', 'createdAt', 'updatedAt'],
      ],
      rows: () => sql`${pools.status} <> 'draft'`,
      // The real times would tell when the draft was made and changed, a gap in the order that there is one.
      values: {
        order: { value: sql`(row_number() over (order by ${pools.order}) - 1)::integer` },
        createdAt: { value: sql`${pools.publishedAt}` },
        updatedAt: { value: sql`coalesce(${pools.shownAt}, ${pools.publishedAt})` },
      },
    },
    brings: {
      columns: ({ name }) => ({ nameKey: nameKeyOf(String(name)) }),
      lacks: { lastRevision: ({ revision }) => revision ?? 0, shownAt: ({ updatedAt }) => updatedAt },
    },
  },
)

const inShownPools = (pool: SQL | AnyPgColumn) =>
  sql`${pool} in (select p.guid from ${pools} p where p.status <> 'draft')`

export const inPoolsOf = (tournament: string) =>
  sql`(select p.guid from ${pools} p where p.tournament_guid = ${tournament})`

/** Their pictures are files of the package. */
export const covers = kind(
  'poolCovers',
  columnsOf(poolCovers, {
    ...{ poolGuid: plain, mediaType: typed(oneOf(['image/png', 'image/jpeg'])) },
    picture: member({
      impersonal: 'digest',
      schema: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the picture.' }),
      value: sql`encode(sha256(${poolCovers.picture}), 'hex')`,
    }),
    small: follows('poolCovers.picture'),
  }),
  {
    of: (tournament) => sql`${poolCovers.poolGuid} in ${inPoolsOf(tournament)}`,
    order: ['poolGuid'],
    open: { members: ['poolGuid', 'mediaType', 'picture'], rows: () => inShownPools(poolCovers.poolGuid) },
    nameless: 'none',
  },
)

export const Color = wordOf('^#[0-9a-f]{6}$')

export const flairsKind = kind(
  'flairs',
  columnsOf(flairs, {
    ...{ guid: plain, tournamentGuid: ofTournament, name: typed(nameLike(flair.name)), color: typed(Color) },
    ...{ icon: typed(wordLike(flair.icon)), order: plain },
  }),
  {
    open: {
      members: ['guid', 'name', 'color', 'icon', 'order'],
      rows: () => sql`exists (select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid
        where m.flair_guid = ${flairs.guid} and m.released_at is not null and p.status <> 'draft')`,
      values: { order: { value: sql`(row_number() over (order by ${flairs.order}, ${flairs.guid}) - 1)::integer` } },
    },
  },
)

export const Characteristic = wordOf(characteristicPattern)

/** What identifies a map: its GUID is another one in each service. */
const identity = (map: SQL) => ({
  hash: { schema: Hash, value: sql`${map}.hash` },
  characteristic: { schema: Characteristic, value: sql`${map}.characteristic` },
  difficulty: { schema: oneOf(difficulties), value: sql`${map}.difficulty` },
})
export const mapOf = (guid: AnyPgColumn) => ({
  beside: sql` join ${maps} map on map.guid = ${guid}`,
  brings: { columns: (row: Row, here: Here) => ({ mapGuid: here.mapOf(row) }) },
  more: identity(sql`map`),
})
export const byIdentity = follows('hash, characteristic and difficulty of the same row')

export const Options = Type.Object({
  disablePause: Type.Boolean(),
  disableFail: Type.Boolean(),
  disableScoreSubmission: Type.Boolean(),
  showScoreboard: Type.Boolean(),
  disableCustomNotesOnStream: Type.Boolean(),
  target: nullable(Counter),
})
const Work = workUpTo()
const Told = Type.Object({
  key: nullable(Work),
  name: nullable(Work),
  mapper: nullable(Work),
  currentHash: nullable(Work),
})

export const poolMapsKind = kind(
  'poolMaps',
  columnsOf(poolMaps, {
    ...{ guid: plain, poolGuid: plain, mapGuid: byIdentity, flairGuid: plain, order: plain, isTiebreaker: plain },
    ...{ modifiers: typed(someOf(modifiers)), playerOptions: typed(someOf(playerOptions)), options: typed(Options) },
    ...{ attempts: typed(like(mapSettings.attempts)), weight: typed(like(mapSettings.weight)) },
    ...{
      note: typed(textUpTo(maxNote)),
      staffNote: forStaff(textUpTo(maxStaffNote)),
      releaseAt: plain,
      releasedAt: plain,
      addedByGuid: person,
    },
    ...{ suggestionGuid: plain, told: typed(Told), createdAt: plain },
  }),
  {
    ...mapOf(poolMaps.mapGuid),
    of: (tournament) => sql`${poolMaps.poolGuid} in ${inPoolsOf(tournament)}`,
    open: {
      members: [
        ...[
          'guid',
          'poolGuid',
          'flairGuid',
          'order',
          'isTiebreaker',
          'modifiers',
          'playerOptions',
          'options',
          'attempts',
        ],
        ...['weight', 'note', 'releaseAt', 'releasedAt', 'hash', 'characteristic', 'difficulty'],
      ],
      rows: () => sql`${poolMaps.releasedAt} is not null and ${inShownPools(poolMaps.poolGuid)}`,
      values: {
        order: {
          value: sql`(row_number() over (partition by ${poolMaps.poolGuid} order by ${poolMaps.order}) - 1)::integer`,
        },
      },
    },
  },
)

export const poolingKind = kind(
  'poolingSettings',
  columnsOf(poolingSettings, { tournamentGuid: ofTournament, openSuggestions: plain, hideVotes: plain }),
  { order: ['openSuggestions'] },
)

const asked = never('of the questions that this service asks')

/** The maps of pools and suggestions, as the catalogue describes them. */
export const mapsKind = kind(
  'maps',
  columnsOf(maps, {
    guid: byIdentity,
    ...{
      hash: typed(Hash),
      characteristic: typed(Characteristic),
      difficulty: typed(oneOf(difficulties)),
      key: typed(Work),
    },
    ...{ name: typed(Work), subName: typed(Work), artist: typed(Work) },
    ...{
      mapper: typed(Work),
      imageUrl: address,
      previewUrl: address,
      bpm: typed(Figure),
      njs: typed(Figure),
      nps: typed(Figure),
      durationSeconds: plain,
    },
    ...{ notes: plain, bombs: plain, obstacles: plain, maxScore: plain, starsA: typed(Figure), starsB: typed(Figure) },
    ...{ rankedA: plain, rankedB: plain, requirements: typed(someOf(requirements)), ai: typed(oneOf(aiMarks)) },
    // Everybody knows it, so that it would tell by how much times are moved.
    uploadedAt: member({ impersonal: 'address' }),
    ...{
      checkedAt: asked,
      state: typed(oneOf(mapStates)),
      currentHash: typed(Work),
      askedInVain: asked,
      askAgainAt: asked,
      createdAt: asked,
    },
  }),
  {
    of: (tournament) => sql`${maps.guid} in (
      select m.map_guid from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid where p.tournament_guid = ${tournament}
      union select s.map_guid from ${suggestions} s where s.tournament_guid = ${tournament})`,
    order: ['hash', 'characteristic', 'difficulty'],
    open: {
      members: [
        ...[
          'hash',
          'characteristic',
          'difficulty',
          'key',
          'name',
          'subName',
          'artist',
          'mapper',
          'imageUrl',
          'previewUrl',
        ],
        ...['bpm', 'njs', 'nps', 'durationSeconds', 'notes', 'bombs', 'obstacles', 'maxScore', 'starsA', 'starsB'],
        ...['rankedA', 'rankedB', 'requirements', 'ai', 'uploadedAt', 'state', 'currentHash'],
      ],
      rows: ({ tournament }) => sql`exists (select from ${poolMaps} m where m.map_guid = ${maps.guid}
        and m.released_at is not null and ${inShownPools(sql`m.pool_guid`)} and m.pool_guid in ${inPoolsOf(tournament)})`,
    },
  },
)
