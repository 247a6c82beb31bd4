import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { nameKeyOf } from '../../../../core/names.ts'
import { Word, Work } from '../../../../core/packages/marks.ts'
import { Guid, nullable } from '../../../../core/schema.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { plannedPools, poolPlans } from '../../../maps/plans/tables.ts'
import { flairs, poolCovers, poolingSettings, poolMaps, pools } from '../../../maps/pools/tables.ts'
import { mapVotes, poolComments, suggestions } from '../../../maps/suggestions/tables.ts'
import {
  address,
  columnsOf,
  drawn,
  follows,
  type Here,
  json,
  kind,
  member,
  name,
  never,
  ofTournament,
  person,
  plain,
  type Row,
  staffText,
  text,
  word,
  work,
} from './kind.ts'

const Failure = Type.Object({
  code: Word,
  poolMapGuid: Type.Optional(Guid),
  flairGuid: Type.Optional(Guid),
})

export const poolsKind = kind(
  'pools',
  columnsOf(pools, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, nameKey: follows('pools.name'), description: text },
    ...{ kind: word, order: plain, status: word, publishAt: plain, publishedAt: plain, archivedAt: plain },
    ...{ revision: plain, lastRevision: plain, draftRevision: plain },
    slots: json(Type.Array(Type.Object({ flairGuid: Guid, count: Type.Integer() }))),
    ...{ playlistTitle: text, playlistAuthor: name, playlistDescription: text, coverHash: drawn, previewRoles: word },
    previewKeyHash: never('the digest of a secret'),
    forcedFailures: json(Type.Array(Failure)),
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
    brings: { columns: ({ name }) => ({ nameKey: nameKeyOf(String(name)) }) },
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
    ...{ poolGuid: plain, mediaType: word },
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

export const flairsKind = kind(
  'flairs',
  columnsOf(flairs, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, color: word, icon: word, order: plain },
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

/** What identifies a map: its GUID is another one in each service. */
const identity = (map: SQL) => ({
  hash: { schema: Work, value: sql`${map}.hash` },
  characteristic: { schema: Word, value: sql`${map}.characteristic` },
  difficulty: { schema: Word, value: sql`${map}.difficulty` },
})
const mapOf = (guid: AnyPgColumn) => ({
  beside: sql` join ${maps} map on map.guid = ${guid}`,
  brings: { columns: (row: Row, here: Here) => ({ mapGuid: here.mapOf(row) }) },
  more: identity(sql`map`),
})
const byIdentity = follows('hash, characteristic and difficulty of the same row')

export const Options = Type.Object({
  disablePause: Type.Boolean(),
  disableFail: Type.Boolean(),
  disableScoreSubmission: Type.Boolean(),
  showScoreboard: Type.Boolean(),
  disableCustomNotesOnStream: Type.Boolean(),
  target: nullable(Type.Number()),
})
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
    ...{ modifiers: word, playerOptions: word, options: json(Options), attempts: plain, weight: plain },
    ...{ note: text, staffNote: staffText, releaseAt: plain, releasedAt: plain, addedByGuid: person },
    ...{ suggestionGuid: plain, told: json(Told), createdAt: plain },
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

export const suggestionsKind = kind(
  'suggestions',
  columnsOf(suggestions, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      mapGuid: byIdentity,
      targetPoolGuid: plain,
      targetFlairGuid: plain,
    },
    ...{ note: staffText, suggestedByGuid: person, status: word, reason: staffText, decidedByGuid: person },
    ...{ decidedAt: plain, poolMapGuid: plain, createdAt: plain, updatedAt: plain },
  }),
  mapOf(suggestions.mapGuid),
)

export const votes = kind(
  'votes',
  columnsOf(mapVotes, {
    ...{ guid: plain, suggestionGuid: plain, poolMapGuid: plain, userGuid: person, value: plain, votedAt: plain },
    changes: plain,
  }),
  {
    of: (tournament) => sql`${mapVotes.suggestionGuid} in
        (select s.guid from ${suggestions} s where s.tournament_guid = ${tournament})
      or ${mapVotes.poolMapGuid} in
        (select m.guid from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid where p.tournament_guid = ${tournament})`,
  },
)

export const comments = kind(
  'comments',
  columnsOf(poolComments, {
    ...{ guid: plain, tournamentGuid: ofTournament, suggestionGuid: plain, poolMapGuid: plain, authorGuid: person },
    ...{ text, replyToGuid: plain, createdAt: plain, editedAt: plain, deletedAt: plain },
  }),
  { nameless: 'none', brings: { late: ['replyToGuid'] } },
)

export const poolPlan = kind(
  'poolPlan',
  columnsOf(poolPlans, { tournamentGuid: ofTournament, revision: plain, defaultPoolGuid: plain }),
  { order: ['revision'] },
)

export const plannedPoolsKind = kind(
  'plannedPools',
  columnsOf(plannedPools, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      matchGuid: plain,
      bracketGuid: plain,
      round: word,
      poolGuid: plain,
    },
  }),
)

const asked = never('of the questions that this service asks')

/** The maps of pools and suggestions, as the catalogue describes them. */
export const mapsKind = kind(
  'maps',
  columnsOf(maps, {
    guid: byIdentity,
    ...{ hash: work, characteristic: word, difficulty: word, key: work, name: work, subName: work, artist: work },
    ...{
      mapper: work,
      imageUrl: address,
      previewUrl: address,
      bpm: plain,
      njs: plain,
      nps: plain,
      durationSeconds: plain,
    },
    ...{ notes: plain, bombs: plain, obstacles: plain, maxScore: plain, starsA: plain, starsB: plain },
    ...{ rankedA: plain, rankedB: plain, requirements: word, ai: word },
    // Everybody knows it, so that it would tell by how much times are moved.
    uploadedAt: member({ impersonal: 'address' }),
    ...{ checkedAt: asked, state: word, currentHash: work, askedInVain: asked, askAgainAt: asked, createdAt: asked },
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
