import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Word } from '../../../../core/packages/marks.ts'
import { nullable } from '../../../../core/schema.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { poolMaps, pools, withdrawnMaps } from '../../../maps/pools/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { Ruling } from './brackets.ts'
import {
  type Asked,
  address,
  columnsOf,
  json,
  kind,
  member,
  never,
  ofTournament,
  person,
  plain,
  staffText,
  word,
  work,
} from './kind.ts'

const Settings = Type.Object({
  countMaps: nullable(Type.Integer()),
  topPlayers: nullable(Type.Integer()),
  points: Type.Array(Type.Number()),
  missing: Word,
  failCounts: Type.Boolean(),
})

export const qualifier = kind(
  'qualifier',
  columnsOf(qualifiers, {
    ...{ guid: plain, tournamentGuid: ofTournament, status: word, openedAt: plain, opensAt: plain, closesAt: plain },
    ...{ attempts: plain, hideScores: plain, method: word, modifiers: word },
    settings: json(Settings),
    cutoff: plain,
    syncUrl: never('a secret address'),
    seededTeamGuids: plain,
    ruling: json(Ruling, { hides: ['reason'] }),
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
    ...{ guid: plain, qualifierGuid: plain, hash: work, difficulty: word, characteristic: word },
    ...{ name: work, artist: work, mapper: work, imageUrl: address, maxScore: plain, weight: plain, order: plain },
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
  },
)

export const attempts = kind(
  'attempts',
  columnsOf(qualifierAttempts, {
    ...{ guid: plain, qualifierGuid: plain, mapGuid: plain, userGuid: person, teamGuid: plain, score: plain },
    ...{ accuracy: plain, misses: plain, badCuts: plain, maxCombo: plain, fullCombo: plain, completion: word },
    source: word,
    externalId: member({ personal: 'id' }),
    ...{ playedAt: plain, recordedByGuid: person, createdAt: plain },
    ...{ voidedAt: plain, voidReason: staffText, voidedByGuid: person },
  }),
  {
    of: (tournament) => sql`${qualifierAttempts.qualifierGuid} in ${inQualifierOf(tournament)}`,
    open: {
      members: ['qualifierGuid', 'mapGuid', 'userGuid', 'score', 'accuracy'],
      order: ['mapGuid', 'userGuid'],
      rows: seenResults,
    },
  },
)
