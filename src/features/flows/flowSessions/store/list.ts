import { and, desc, eq, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { pools } from '../../../maps/pools/tables.ts'
import { flowRows, flowSessions } from '../tables.ts'
import type { SessionRecord, StoredStatus } from '../types.ts'
import { isPoolOpen, sessionColumns } from './sessions.ts'

/** The properties of the caller that decide which sessions a list has. */
export interface ListViewer {
  readonly userGuid: string | null
  readonly isReferee: boolean
  readonly isCaster: boolean
  readonly isPooler: boolean
  readonly roles: readonly string[]
}

export interface SessionFilter {
  readonly matchGuid?: string | undefined
  readonly isFree?: boolean | undefined
  readonly statuses?: readonly StoredStatus[] | undefined
  readonly after?: MakingPosition | undefined
  readonly limit: number
}

/** Sessions that the viewer may see, newest first; one more than `limit` if there are more. */
export async function listSessions(
  db: Db,
  tournamentGuid: string,
  viewer: ListViewer,
  { matchGuid, isFree, statuses, after, limit }: SessionFilter,
): Promise<readonly SessionRecord[]> {
  const { userGuid, isReferee, isCaster, isPooler, roles } = viewer
  const speaks =
    userGuid === null ? sql`false` : sql`${flowSessions.speakers} @> ${JSON.stringify([[userGuid]])}::jsonb`
  const seesNow = sql`(${isReferee || isCaster}::bool or ${flowSessions.viewDelaySeconds} = 0 or ${speaks})`
  const status = sql`case when ${seesNow} then ${flowSessions.status} else ${flowSessions.shownStatus} end`
  const mayReadPool = sql`exists (select from ${pools} where ${pools.guid} = ${flowSessions.poolGuid}
    and ((${isPoolOpen}) or ${pools.previewRoles} && ${sql.param(roles)}::text[]))`
  return db.session.orm
    .select(sessionColumns)
    .from(flowSessions)
    .where(
      and(
        eq(flowSessions.tournamentGuid, tournamentGuid),
        isReferee ? undefined : sql`(${flowSessions.isPublic} or ${speaks})`,
        isPooler
          ? undefined
          : sql`(${flowSessions.matchGuid} is not null or ${flowSessions.poolGuid} is null or ${mayReadPool})`,
        sql`(${seesNow} or ${flowSessions.shownPosition} > 0)`,
        matchGuid === undefined ? undefined : eq(flowSessions.matchGuid, matchGuid),
        isFree === undefined ? undefined : sql`(${flowSessions.matchGuid} is null) = ${isFree}::bool`,
        statuses === undefined ? undefined : sql`${status} = any(${sql.param(statuses)}::text[])`,
        madeBefore(flowSessions, after),
      ),
    )
    .orderBy(desc(flowSessions.createdAt), desc(flowSessions.guid))
    .limit(limit + 1)
}

const seated = statement('flow_sessions.seats', (orm) =>
  orm
    .select({ sessionGuid: flowRows.sessionGuid, teams: sql<readonly SeatTeam[]>`${flowRows.data} -> 'teams'` })
    .from(flowRows)
    .where(and(eq(flowRows.position, 1), sql`${flowRows.sessionGuid} = any(${sql.placeholder('guids')}::uuid[])`)),
)

/** The seats with their teams and names at the beginning, by session. */
export async function listSeats(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, readonly SeatTeam[]>> {
  if (guids.length === 0) return new Map()
  return new Map((await seated(db, { guids })).map(({ sessionGuid, teams }) => [sessionGuid, teams]))
}
