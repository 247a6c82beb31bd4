import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { plannedPools, poolPlans } from '../../../maps/plans/tables.ts'
import { flairs, poolChanges, poolCovers, poolingSettings, poolMaps, pools } from '../../../maps/pools/tables.ts'
import { mapVotes, poolComments, suggestions } from '../../../maps/suggestions/tables.ts'
import {
  anyJson,
  columnsOf,
  follows,
  json,
  kind,
  link,
  name,
  never,
  ofTournament,
  person,
  plain,
  staffText,
  text,
} from './kind.ts'

const Failure = Type.Object({
  code: Type.String(),
  poolMapGuid: Type.Optional(Guid),
  flairGuid: Type.Optional(Guid),
})

export const poolsKind = kind(
  'pools',
  columnsOf(pools, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, nameKey: follows('pools.name'), description: text },
    ...{ kind: plain, order: plain, status: plain, publishAt: plain, publishedAt: plain, archivedAt: plain },
    ...{ revision: plain, lastRevision: plain, draftRevision: plain },
    slots: json(Type.Array(Type.Object({ flairGuid: Guid, count: Type.Integer() }))),
    ...{ playlistTitle: text, playlistAuthor: name, playlistDescription: text, coverHash: plain, previewRoles: plain },
    previewKeyHash: never('the digest of a secret'),
    forcedFailures: json(Type.Array(Failure)),
    ...{ announcedAt: plain, announceAt: plain, checkedAt: plain, createdAt: plain, updatedAt: plain, shownAt: plain },
  }),
)

const inPoolsOf = (tournament: string) => sql`(select p.guid from ${pools} p where p.tournament_guid = ${tournament})`

/** Their pictures are files of the package. */
export const covers = kind(
  'poolCovers',
  columnsOf(poolCovers, {
    ...{ poolGuid: plain, mediaType: plain },
    picture: json(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the picture.' }), {
      value: sql`encode(sha256(${poolCovers.picture}), 'hex')`,
    }),
    small: follows('poolCovers.picture'),
  }),
  { of: (tournament) => sql`${poolCovers.poolGuid} in ${inPoolsOf(tournament)}`, order: ['poolGuid'] },
)

export const flairsKind = kind(
  'flairs',
  columnsOf(flairs, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, color: plain, icon: plain, order: plain },
  }),
)

/** What identifies a map: its GUID is another one in each service. */
const identity = (map: SQL) => ({
  hash: { schema: Type.String(), value: sql`${map}.hash` },
  characteristic: { schema: Type.String(), value: sql`${map}.characteristic` },
  difficulty: { schema: Type.String(), value: sql`${map}.difficulty` },
})
const mapOf = (guid: AnyPgColumn) => ({
  beside: sql` join ${maps} map on map.guid = ${guid}`,
  more: identity(sql`map`),
})
const byIdentity = follows('hash, characteristic and difficulty of the same row')

const Options = Type.Object({
  disablePause: Type.Boolean(),
  disableFail: Type.Boolean(),
  disableScoreSubmission: Type.Boolean(),
  showScoreboard: Type.Boolean(),
  disableCustomNotesOnStream: Type.Boolean(),
  target: nullable(Type.Number()),
})
const Told = Type.Object({
  key: nullable(Type.String()),
  name: nullable(Type.String()),
  mapper: nullable(Type.String()),
  currentHash: nullable(Type.String()),
})

export const poolMapsKind = kind(
  'poolMaps',
  columnsOf(poolMaps, {
    ...{ guid: plain, poolGuid: plain, mapGuid: byIdentity, flairGuid: plain, order: plain, isTiebreaker: plain },
    ...{ modifiers: plain, playerOptions: plain, options: json(Options), attempts: plain, weight: plain },
    ...{ note: text, staffNote: staffText, releaseAt: plain, releasedAt: plain, addedByGuid: person },
    ...{ suggestionGuid: plain, told: json(Told), createdAt: plain },
  }),
  { ...mapOf(poolMaps.mapGuid), of: (tournament) => sql`${poolMaps.poolGuid} in ${inPoolsOf(tournament)}` },
)

export const poolChangesKind = kind(
  'poolChanges',
  columnsOf(poolChanges, {
    ...{ guid: plain, poolGuid: plain, revision: plain, kind: plain },
    before: anyJson({ hides: ['staffNote'], people: '$[*].addedBy.guid' }),
    after: anyJson({ hides: ['staffNote'], people: '$[*].addedBy.guid' }),
    ...{ reason: staffText, byGuid: person, at: plain, isShown: plain },
  }),
  { of: (tournament) => sql`${poolChanges.poolGuid} in ${inPoolsOf(tournament)}` },
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
    ...{ note: staffText, suggestedByGuid: person, status: plain, reason: staffText, decidedByGuid: person },
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
      round: plain,
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
    ...{ hash: plain, characteristic: plain, difficulty: plain, key: plain, name, subName: name, artist: name },
    ...{ mapper: name, imageUrl: link, previewUrl: link, bpm: plain, njs: plain, nps: plain, durationSeconds: plain },
    ...{ notes: plain, bombs: plain, obstacles: plain, maxScore: plain, starsA: plain, starsB: plain },
    ...{ rankedA: plain, rankedB: plain, requirements: plain, ai: plain, uploadedAt: plain },
    ...{ checkedAt: asked, state: plain, currentHash: plain, askedInVain: asked, askAgainAt: asked, createdAt: asked },
  }),
  {
    of: (tournament) => sql`${maps.guid} in (
      select m.map_guid from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid where p.tournament_guid = ${tournament}
      union select s.map_guid from ${suggestions} s where s.tournament_guid = ${tournament})`,
    order: ['hash', 'characteristic', 'difficulty'],
  },
)
