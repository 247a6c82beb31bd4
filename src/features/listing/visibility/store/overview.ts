import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { platforms } from '../../platforms/tables.ts'
import type { Platform } from '../../platforms/types.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'
import type { Decision, RequestStatus } from '../types.ts'

/** Reads the activity on all platforms. */

const counts = statement('visibility.counts', (orm) =>
  orm
    .select({ platformGuid: requests.platformGuid, status: requests.status, count: sql<number>`count(*)::int` })
    .from(requests)
    .groupBy(requests.platformGuid, requests.status),
)

/** The number of requests by platform and status; statuses without requests are left out. */
export async function countRequests(
  db: Db,
): Promise<{ readonly platformGuid: string; readonly status: RequestStatus; readonly count: number }[]> {
  return counts(db)
}

interface About {
  readonly platform: Platform
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name' | 'status'>
}

const about = {
  platform: getTableColumns(platforms),
  tournament: {
    guid: tournaments.guid,
    id: tournaments.id,
    name: tournaments.name,
    status: tournaments.status,
  },
}

export interface LatestRequest extends About {
  readonly guid: string
  readonly status: RequestStatus
  readonly requestedAt: Date
}

const latestRequests = statement('visibility.latest_requests', (orm) =>
  orm
    .select({ guid: requests.guid, status: requests.status, requestedAt: requests.requestedAt, ...about })
    .from(requests)
    .innerJoin(platforms, eq(platforms.guid, requests.platformGuid))
    .innerJoin(tournaments, eq(tournaments.guid, requests.tournamentGuid))
    .orderBy(desc(requests.requestedAt), desc(requests.guid))
    .limit(sql.placeholder('limit')),
)

/** The latest requests with any status, newest first. */
export async function listLatestRequests(db: Db, limit: number): Promise<LatestRequest[]> {
  return latestRequests(db, { limit })
}

export interface LatestDecision extends About {
  readonly requestGuid: string
  readonly decision: Decision
  readonly reason: string | null
  readonly decidedAt: Date
  readonly decidedByGuid: string
}

const latestDecisions = statement('visibility.latest_decisions', (orm) =>
  orm
    .select({
      requestGuid: decisions.requestGuid,
      decision: decisions.decision,
      reason: decisions.reason,
      decidedAt: decisions.decidedAt,
      decidedByGuid: decisions.decidedByGuid,
      ...about,
    })
    .from(decisions)
    .innerJoin(requests, eq(requests.guid, decisions.requestGuid))
    .innerJoin(platforms, eq(platforms.guid, requests.platformGuid))
    .innerJoin(tournaments, eq(tournaments.guid, requests.tournamentGuid))
    .orderBy(desc(decisions.number))
    .limit(sql.placeholder('limit')),
)

/** The latest decisions, including those that were replaced later, newest first. */
export async function listLatestDecisions(db: Db, limit: number): Promise<LatestDecision[]> {
  return latestDecisions(db, { limit })
}

const askers = statement('visibility.askers', (orm) =>
  orm
    .select({ guid: requests.tournamentGuid })
    .from(requests)
    .where(eq(requests.platformGuid, sql.placeholder('platformGuid'))),
)

/** GUIDs of the tournaments that have ever asked a platform. */
export async function listAskers(db: Db, platformGuid: string): Promise<string[]> {
  return (await askers(db, { platformGuid })).map(({ guid }) => guid)
}
