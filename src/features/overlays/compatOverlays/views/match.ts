import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { matchStatuses } from '../../../../engine/types.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'
import type { Seen } from '../../overlayData/queries/play.ts'
import type { PoolMap } from '../../overlayData/views/maps.ts'
import { CompatResults, compatResults } from './results.ts'
import { CompatTeam, compatTeam, type TeamFacts } from './teams.ts'

const CompatMap = Type.Object({
  guid: Guid,
  name: nullable(Type.String()),
  artist: nullable(Type.String()),
  mapper: nullable(Type.String()),
  imageUrl: nullable(Type.String()),
  key: nullable(Type.String()),
  hash: Type.String({ description: 'In lower case.' }),
  difficulty: Type.String(),
  flair: nullable(Type.Object({ name: Type.String(), color: nullable(Type.String()), icon: nullable(Type.String()) })),
})

const CompatPickBan = Type.Object({
  mapGuid: Guid,
  map: nullable(CompatMap),
  actionerGuid: nullable(Guid, 'Team.'),
  actioner: nullable(CompatTeam),
  isPick: Type.Boolean(),
  isBan: Type.Boolean(),
  isTB: Type.Boolean(),
  flowOrder: Type.Integer(),
})

export const CompatMatch = Type.Object({
  guid: Guid,
  matchNumber: Type.Integer(),
  matchType: Type.String({ description: 'What it is called by, such as its round.' }),
  scheduledTime: nullable(Instant),
  actualStartTime: nullable(Instant),
  actualEndTime: nullable(Instant),
  status: oneOf(matchStatuses),
  maxScore: Type.Integer({ description: 'Maps that it takes to win.' }),
  sides: Type.Object({ team1: nullable(CompatTeam), team2: nullable(CompatTeam) }),
  mapPool: Type.Object({ maps: Type.Array(CompatMap) }),
  picksBans: Type.Array(CompatPickBan),
  results: CompatResults,
  nextMatchGuid: nullable(Guid),
  loserMatchGuid: nullable(Guid),
})

/** The match and the records that its view needs. */
export interface MatchFacts {
  readonly match: MatchView
  readonly label: string
  readonly seen: Seen
  readonly teams: TeamFacts
  readonly isSolo: boolean
}

export function compatMatch({ match, label, seen, teams, isSolo }: MatchFacts): Static<typeof CompatMatch> {
  const { guid, number, status, scheduledAt, startedAt, completedAt, winsNeeded, nextMatchGuid, loserMatchGuid } = match
  const maps = seen.pool?.maps ?? []
  const [team1 = null, team2 = null] = match.sides.map(({ team }) => compatTeam(team?.guid, teams, isSolo))
  return {
    guid,
    matchNumber: number,
    matchType: label,
    status,
    maxScore: winsNeeded,
    scheduledTime: scheduledAt,
    actualStartTime: startedAt,
    actualEndTime: completedAt,
    sides: { team1, team2 },
    mapPool: { maps: maps.map(compatMap) },
    picksBans: (seen.state?.picksBans ?? []).map((row) => compatPickBan(row, maps, [team1, team2])),
    results: compatResults(match, seen.state, { maps, teams: [team1, team2] }),
    nextMatchGuid,
    loserMatchGuid,
  }
}

/** Uses the GUID of the map in the pool, as picks and scores do. */
function compatMap({ guid, map, flair }: PoolMap): Static<typeof CompatMap> {
  const { name, artist, mapper, imageUrl, key, hash, difficulty } = map
  return {
    guid,
    name,
    artist,
    mapper,
    imageUrl,
    key,
    difficulty,
    hash: hash.toLowerCase(),
    flair: flair === null ? null : { name: flair.name, color: flair.color, icon: flair.icon },
  }
}

function compatPickBan(
  { mapGuid, actionerGuid, isPick, isBan, isTB, flowOrder }: StateView['picksBans'][number],
  maps: readonly PoolMap[],
  teams: readonly (CompatTeam | null)[],
): Static<typeof CompatPickBan> {
  const map = maps.find(({ guid }) => guid === mapGuid)
  const actioner = teams.find((team) => team !== null && team.guid === actionerGuid) ?? null
  return {
    mapGuid,
    map: map === undefined ? null : compatMap(map),
    actionerGuid,
    actioner,
    isPick,
    isBan,
    isTB,
    flowOrder,
  }
}
