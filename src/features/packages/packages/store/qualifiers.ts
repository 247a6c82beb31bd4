import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { completions, missingRules, qualifierMethods } from '../../../../engine/qualifier-types.ts'
import { accuracyLimit, modifierRules } from '../../../../engine/score-limits.ts'
import { maxEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { AttemptBody, QualifierBody, VoidBody } from '../../../brackets/qualifiers/bodies.ts'
import { maxCounted, maxPoints } from '../../../brackets/qualifiers/rules/recording.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { attemptSources, qualifierStatuses } from '../../../brackets/qualifiers/types.ts'
import { poolMaps, pools, withdrawnMaps } from '../../../maps/pools/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { Hash, like, textLike, wordLike, workLike } from './bounds.ts'
import { Ruling } from './brackets.ts'
import {
  type Asked,
  address,
  columnsOf,
  forStaff,
  kind,
  never,
  ofTournament,
  person,
  personal,
  plain,
  typed,
} from './kind.ts'

const { attempts: allowed, settings, cutoff, maps } = QualifierBody.properties
const given = settings.properties
const map = maps.items.properties

const Settings = Type.Object({
  countMaps: nullable(like(given.countMaps)),
  topPlayers: nullable(like(given.topPlayers)),
  points: like(given.points),
  missing: oneOf(missingRules),
  failCounts: Type.Boolean(),
})

export const qualifier = kind(
  'qualifier',
  columnsOf(qualifiers, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      status: typed(oneOf(qualifierStatuses)),
      openedAt: plain,
      opensAt: plain,
      closesAt: plain,
    },
    ...{ attempts: typed(like(allowed)), hideScores: plain, method: typed(oneOf(qualifierMethods)) },
    modifiers: typed(oneOf(modifierRules)),
    settings: typed(Settings),
    cutoff: typed(like(cutoff)),
    syncUrl: never('a secret address'),
    seededTeamGuids: typed(Type.Array(Guid, { maxItems: maxEntrants })),
    ruling: typed(Ruling, { hides: ['reason'] }),
    ...{ boardChangedAt: plain, createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: [
        ...[
          'guid',
          'status',
          'opensAt',
          'closesAt',
          'attempts',
          'hideScores',
          'method',
          'modifiers',
          'settings',
          'cutoff',
        ],
        ...['ruling', 'createdAt', 'updatedAt'],
      ],
      values: {
        ruling: { value: sql`case when ${qualifiers.status} = 'final' then ${qualifiers.ruling} end` },
      },
    },
  },
)

const inQualifierOf = (tournament: string) =>
  sql`(select q.guid from ${qualifiers} q where q.tournament_guid = ${tournament})`

/** Whether everybody may see the qualifier `q` at all: opening dates hold by themselves. (additions: Details, 11) */
const isOpened = ({ now }: Asked) => sql`(q.status <> 'draft' or q.opens_at <= ${now.toISOString()}::timestamptz)`

/** A map from a pool stays hidden while the pool hides it; all do while one is of a draft. (pools: What outsiders see) */
const seenMap = (map: SQL, asked: Asked) => sql`exists (
  select from ${qualifiers} q where q.guid = ${map}.qualifier_guid and ${isOpened(asked)}
    and not exists (select from ${qualifierMaps} other join ${poolMaps} m on m.guid = other.pool_map_guid
      join ${pools} p on p.guid = m.pool_guid where other.qualifier_guid = q.guid and p.status = 'draft'))
  and not exists (select from ${poolMaps} m where m.guid = ${map}.pool_map_guid and m.released_at is null)
  and not exists (select from ${withdrawnMaps} w where w.guid = ${map}.pool_map_guid)`

/**
 * The best result of each player on each map, as standings show it. Scores may be hidden until the qualifier is final.
 * (additions: Qualifiers)
 */
const seenResults = (asked: Asked) => sql`${qualifierAttempts.guid} in (
  select distinct on (a.user_guid, a.map_guid) a.guid from ${qualifierAttempts} a
  join ${qualifiers} q on q.guid = a.qualifier_guid
  join ${qualifierMaps} map on map.guid = a.map_guid
  join ${teamMembers} member on member.tournament_guid = q.tournament_guid and member.user_guid = a.user_guid
  join ${teams} t on t.guid = member.team_guid and t.status in ('registered', 'qualified') and t.withdrawn_at is null
  where a.voided_at is null and (not q.hide_scores or q.status = 'final') and ${isOpened(asked)}
    and (a.completion = 'passed' or a.completion = 'failed' and (q.settings ->> 'failCounts')::boolean)
    and q.tournament_guid = ${asked.tournament} and ${seenMap(sql`map`, asked)}
  order by a.user_guid, a.map_guid, a.score desc, a.accuracy desc nulls last, a.guid)`

export const qualifierMapsKind = kind(
  'qualifierMaps',
  columnsOf(qualifierMaps, {
    ...{ guid: plain, qualifierGuid: plain, hash: typed(Hash), difficulty: typed(wordLike(map.difficulty)) },
    ...{ characteristic: typed(wordLike(map.characteristic)), name: typed(workLike(map.name)) },
    ...{ artist: typed(workLike(map.artist)), mapper: typed(workLike(map.mapper)), imageUrl: address },
    ...{ maxScore: typed(like(map.maxScore)), weight: typed(like(map.weight)), order: plain },
    poolMapGuid: plain,
  }),
  {
    of: (tournament) => sql`${qualifierMaps.qualifierGuid} in ${inQualifierOf(tournament)}`,
    more: {
      withdrawn: {
        schema: Type.Boolean({ description: 'Deleted from its pool before everybody could see it.' }),
        value: sql`exists (select from ${withdrawnMaps} w where w.guid = ${qualifierMaps.poolMapGuid})`,
      },
    },
    open: {
      members: [
        ...['guid', 'qualifierGuid', 'hash', 'difficulty', 'characteristic', 'name', 'artist', 'mapper', 'imageUrl'],
        ...['maxScore', 'weight', 'order'],
      ],
      rows: (asked) => seenMap(sql`${qualifierMaps}`, asked),
      // A gap would tell of a map that is hidden.
      values: { order: { value: sql`(row_number() over (order by ${qualifierMaps.order}) - 1)::integer` } },
    },
    brings: { lacks: { withdrawn: () => false } },
  },
)

const Points = Type.Integer({ minimum: 0, maximum: maxPoints })
const Count = Type.Integer({ minimum: 0, maximum: maxCounted })
const Accuracy = Type.Number({ minimum: 0, maximum: accuracyLimit('any') })

export const attempts = kind(
  'attempts',
  columnsOf(qualifierAttempts, {
    ...{ guid: plain, qualifierGuid: plain, mapGuid: plain, userGuid: person, teamGuid: plain },
    ...{ score: typed(Points), accuracy: typed(Accuracy), misses: typed(Count), badCuts: typed(Count) },
    ...{ maxCombo: typed(Count), fullCombo: plain, completion: typed(oneOf(completions)) },
    source: typed(oneOf(attemptSources)),
    externalId: typed(personal('id', like(AttemptBody.properties.externalId))),
    ...{ playedAt: plain, recordedByGuid: person, createdAt: plain },
    ...{ voidedAt: plain, voidReason: forStaff(textLike(VoidBody.properties.reason)), voidedByGuid: person },
  }),
  {
    of: (tournament) => sql`${qualifierAttempts.qualifierGuid} in ${inQualifierOf(tournament)}`,
    open: {
      members: ['qualifierGuid', 'mapGuid', 'userGuid', 'score', 'accuracy'],
      order: ['mapGuid', 'userGuid'],
      rows: seenResults,
    },
    // Everybody sees only results that count, and not when they were made.
    brings: {
      lacks: { completion: () => 'passed', source: () => 'import', playedAt: (_, { now }) => now.toISOString() },
      byCaller: ['recordedByGuid'],
    },
  },
)
