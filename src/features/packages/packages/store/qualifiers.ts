import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { withdrawnMaps } from '../../../maps/pools/tables.ts'
import { Ruling } from './brackets.ts'
import { columnsOf, json, kind, link, name, never, ofTournament, person, plain, staffText } from './kind.ts'

const Settings = Type.Object({
  countMaps: nullable(Type.Integer()),
  topPlayers: nullable(Type.Integer()),
  points: Type.Array(Type.Number()),
  missing: Type.String(),
  failCounts: Type.Boolean(),
})

export const qualifier = kind(
  'qualifier',
  columnsOf(qualifiers, {
    ...{ guid: plain, tournamentGuid: ofTournament, status: plain, openedAt: plain, opensAt: plain, closesAt: plain },
    ...{ attempts: plain, hideScores: plain, method: plain, modifiers: plain },
    settings: json(Settings),
    cutoff: plain,
    syncUrl: never('a secret address'),
    seededTeamGuids: plain,
    ruling: json(Ruling, { hides: ['reason'] }),
    ...{ boardChangedAt: plain, createdAt: plain, updatedAt: plain },
  }),
)

const inQualifierOf = (tournament: string) =>
  sql`(select q.guid from ${qualifiers} q where q.tournament_guid = ${tournament})`

export const qualifierMapsKind = kind(
  'qualifierMaps',
  columnsOf(qualifierMaps, {
    ...{ guid: plain, qualifierGuid: plain, hash: plain, difficulty: plain, characteristic: plain },
    ...{ name, artist: name, mapper: name, imageUrl: link, maxScore: plain, weight: plain, order: plain },
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
  },
)

export const attempts = kind(
  'attempts',
  columnsOf(qualifierAttempts, {
    ...{ guid: plain, qualifierGuid: plain, mapGuid: plain, userGuid: person, teamGuid: plain, score: plain },
    ...{ accuracy: plain, misses: plain, badCuts: plain, maxCombo: plain, fullCombo: plain, completion: plain },
    ...{ source: plain, externalId: plain, playedAt: plain, recordedByGuid: person, createdAt: plain },
    ...{ voidedAt: plain, voidReason: staffText, voidedByGuid: person },
  }),
  { of: (tournament) => sql`${qualifierAttempts.qualifierGuid} in ${inQualifierOf(tournament)}` },
)
