import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { type MakingPosition, maxPageSize } from '../../../../core/page.ts'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'
import type { PastDecision, RequestStatus, ReviewedRequest } from '../types.ts'

/** Queries for the reviewers of a platform. */

const reviewedColumns = {
  request: getTableColumns(requests),
  tournament: {
    guid: tournaments.guid,
    id: tournaments.id,
    name: tournaments.name,
    summary: tournaments.summary,
    imageUrl: tournaments.imageUrl,
    status: tournaments.status,
    startsAt: tournaments.startsAt,
    endsAt: tournaments.endsAt,
    approvedAt: tournaments.approvedAt,
    rehearsalOf: tournaments.rehearsalOf,
    organiserGuid: tournaments.organiserGuid,
  },
}

const newestFirst = sql`order by requested_at desc, guid desc`
/**
 * A constant, so that the planner knows it. With the page size as a parameter the planner would expect a tenth of the
 * queue.
 */
const maxRows = sql.raw(`${maxPageSize + 1}`)

/** The keys of a platform's requests after a position. */
function keys(...conditions: readonly SQL[]): SQL {
  const after = sql`(requested_at, guid) < (${sql.placeholder('at')}::timestamptz, ${sql.placeholder('guid')}::uuid)`
  const all = [sql`platform_guid = ${sql.placeholder('platformGuid')}::uuid`, after, ...conditions]
  return sql`select requested_at, guid from ${requests} r where ${sql.join(all, sql` and `)} ${newestFirst} limit ${maxRows}`
}

/** The requests whose keys the query `page` returns, in order. */
function reviewing(orm: Orm, page: SQL) {
  return orm
    .select(reviewedColumns)
    .from(sql`(${page}) page`)
    .innerJoin(requests, sql`${requests.guid} = page.guid`)
    .innerJoin(tournaments, eq(tournaments.guid, requests.tournamentGuid))
    .orderBy(sql`page.requested_at desc`, sql`page.guid desc`)
    .limit(sql.placeholder('limit'))
}

const plainPage = statement('visibility.requests', (orm) => reviewing(orm, keys()))

/**
 * Reads a page of each status from its index and merges them, so that a rare status costs no more than a frequent one.
 */
const pageByStatus = statement('visibility.requests_by_status', (orm) =>
  reviewing(
    orm,
    sql`select of_status.* from unnest(${sql.placeholder('statuses')}::text[]) as wanted(status)
      cross join lateral (${keys(sql`r.status = wanted.status`)}) of_status ${newestFirst} limit ${maxRows}`,
  ),
)

const start: MakingPosition = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** One page of a platform's requests, newest first, with one row more than `limit`. */
export async function listRequests(
  db: Db,
  platformGuid: string,
  page: {
    readonly statuses?: readonly RequestStatus[] | undefined
    readonly limit: number
    readonly after?: MakingPosition | undefined
  },
): Promise<ReviewedRequest[]> {
  const { statuses, limit, after: [at, guid] = start } = page
  const values = { platformGuid, at, guid, limit: limit + 1 }
  return statuses === undefined ? plainPage(db, values) : pageByStatus(db, { ...values, statuses })
}

const requestingTournament = statement('visibility.requesting_tournament', (orm) =>
  orm
    .select(reviewedColumns)
    .from(requests)
    .innerJoin(tournaments, eq(tournaments.guid, requests.tournamentGuid))
    .where(eq(requests.guid, sql.placeholder('guid'))),
)

/** Reads an existing request in the form of the list. */
export async function readRequest(db: Db, guid: string): Promise<ReviewedRequest> {
  const [row] = await requestingTournament(db, { guid })
  if (row === undefined) throw new Error('a visibility request that was just changed is gone')
  return row
}

const { requestGuid: _, ...decisionColumns } = getTableColumns(decisions)

const decisionsOn = statement('visibility.decisions', (orm) =>
  orm
    .select(decisionColumns)
    .from(decisions)
    .where(
      and(eq(decisions.requestGuid, sql.placeholder('requestGuid')), lt(decisions.number, sql.placeholder('before'))),
    )
    .orderBy(desc(decisions.number))
    .limit(sql.placeholder('limit')),
)

/** The decisions on a request, newest first, below a given number; one more than `limit`. */
export async function listDecisions(
  db: Db,
  requestGuid: string,
  limit: number,
  before: number = Number.MAX_SAFE_INTEGER,
): Promise<PastDecision[]> {
  return decisionsOn(db, { requestGuid, before, limit: limit + 1 })
}
