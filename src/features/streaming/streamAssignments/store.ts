import { and, asc, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { rowsOf } from '../../../infra/db/personal-data.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { activeStatuses } from '../../tournaments/tournaments/types.ts'
import { streamAssignments as assignments } from './tables.ts'
import type { AssignmentChanges, AssignmentStatus, ListedAssignment, NewAssignment } from './types.ts'

const columns = { ...getTableColumns(assignments), matchNumber: matches.number }

const byGuids = statement('stream_assignments.by_guids', (orm) =>
  orm
    .select(columns)
    .from(assignments)
    .leftJoin(matches, eq(matches.guid, assignments.matchGuid))
    .where(sql`${assignments.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

export async function findAssignment(db: Db, guid: string): Promise<ListedAssignment | undefined> {
  return (await byGuids(db, { guids: [guid] }))[0]
}

/** A page begins after the assignment with this start and GUID. */
export type AssignmentPosition = readonly [startsAt: string, guid: string]

export interface AssignmentFilter {
  readonly matchGuid?: string | undefined
  readonly userGuid?: string | undefined
  readonly statuses?: readonly AssignmentStatus[] | undefined
  readonly after?: AssignmentPosition | undefined
  readonly limit: number
}

/** Lists assignments in the order of their starts, with one beyond `limit`. */
export async function listAssignments(
  db: Db,
  tournamentGuid: string,
  { matchGuid, userGuid, statuses, after, limit }: AssignmentFilter,
  now: Date,
): Promise<readonly ListedAssignment[]> {
  return db.session.orm
    .select(columns)
    .from(assignments)
    .leftJoin(matches, eq(matches.guid, assignments.matchGuid))
    .where(
      and(
        eq(assignments.tournamentGuid, tournamentGuid),
        matchGuid === undefined ? undefined : eq(assignments.matchGuid, matchGuid),
        userGuid === undefined ? undefined : eq(assignments.userGuid, userGuid),
        statuses === undefined ? undefined : sql`${statusAt(now)} = any(${sql.param(statuses)}::text[])`,
        after === undefined
          ? undefined
          : sql`(${assignments.startsAt}, ${assignments.guid}) > (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(asc(assignments.startsAt), asc(assignments.guid))
    .limit(limit + 1)
}

/** The number of assignments ever created for a match, or for a tournament as a whole. */
export async function countMade(tx: Tx, tournamentGuid: string, matchGuid: string | null): Promise<number> {
  const isOfMatch = matchGuid === null ? isNull(assignments.matchGuid) : eq(assignments.matchGuid, matchGuid)
  return tx.session.orm.$count(assignments, and(eq(assignments.tournamentGuid, tournamentGuid), isOfMatch))
}

/** The same status as `statusOf`. */
function statusAt(now: Date): SQL<AssignmentStatus> {
  const at = now.toISOString()
  return sql`case when ${assignments.cancelledAt} is not null then 'cancelled'
    when ${assignments.endsAt} <= ${at}::timestamptz then 'ended'
    when ${assignments.startsAt} <= ${at}::timestamptz then 'active' else 'planned' end`
}

const turns = statement('stream_assignments.next_turn', (orm) =>
  orm
    .select({
      at: sql<string | null>`min(case when ${assignments.startsAt} > ${sql.placeholder('now')}::timestamptz
        then ${assignments.startsAt} else ${assignments.endsAt} end)`,
    })
    .from(assignments)
    .where(
      and(
        eq(assignments.tournamentGuid, sql.placeholder('tournamentGuid')),
        isNull(assignments.cancelledAt),
        sql`${assignments.endsAt} > ${sql.placeholder('now')}::timestamptz`,
      ),
    ),
)

/** When the tournament's next assignment starts or ends; null for never. */
export async function findNextTurn(db: Db, tournamentGuid: string, now: Date): Promise<Date | null> {
  const [row] = await turns(db, { tournamentGuid, now: now.toISOString() })
  return row?.at == null ? null : new Date(row.at)
}

/** Lists the assignments of a match that are not cancelled, in the order of their starts. */
export async function listOfMatch(db: Db, matchGuid: string): Promise<readonly ListedAssignment[]> {
  return db.session.orm
    .select(columns)
    .from(assignments)
    .innerJoin(matches, eq(matches.guid, assignments.matchGuid))
    .where(and(eq(assignments.matchGuid, matchGuid), isNull(assignments.cancelledAt)))
    .orderBy(asc(assignments.startsAt), asc(assignments.guid))
}

/**
 * Finds the first of a user's assignments to matches, in any tournament, that overlaps the times. Call it under the
 * user's lock.
 */
export async function findOverlapping(
  tx: Tx,
  userGuid: string,
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
  except: readonly string[],
): Promise<ListedAssignment | undefined> {
  const [row] = await tx.session.orm
    .select(columns)
    .from(assignments)
    .innerJoin(matches, eq(matches.guid, assignments.matchGuid))
    .innerJoin(tournaments, eq(tournaments.guid, assignments.tournamentGuid))
    .where(
      and(
        eq(assignments.userGuid, userGuid),
        isNull(assignments.cancelledAt),
        // Assignments of tournaments that are over do not count.
        inArray(tournaments.status, activeStatuses),
        sql`${assignments.startsAt} < ${endsAt.toISOString()}::timestamptz`,
        sql`${assignments.endsAt} > ${startsAt.toISOString()}::timestamptz`,
        sql`${assignments.guid} <> all(${sql.param(except)}::uuid[])`,
      ),
    )
    .orderBy(asc(assignments.startsAt), asc(assignments.guid))
    .limit(1)
  return row
}

export async function insertAssignment(tx: Tx, assignment: NewAssignment, now: Date): Promise<ListedAssignment> {
  const [row] = await tx.session.orm
    .insert(assignments)
    .values({ ...assignment, createdAt: now, updatedAt: now })
    .returning({ guid: assignments.guid })
  return load(tx, row?.guid)
}

/** @param isShown whether the change is visible to everybody; only then `updatedAt` changes */
export async function updateAssignment(
  tx: Tx,
  guid: string,
  changes: AssignmentChanges & { readonly cancelledAt?: Date },
  isShown: boolean,
  now: Date,
): Promise<ListedAssignment> {
  await tx.session.orm
    .update(assignments)
    .set({ ...changes, ...(isShown ? { updatedAt: now } : {}) })
    .where(eq(assignments.guid, guid))
  return load(tx, guid)
}

async function load(tx: Tx, guid: string | undefined): Promise<ListedAssignment> {
  const found = guid === undefined ? undefined : await findAssignment(tx, guid)
  if (found === undefined) throw new Error('a stored assignment was not returned')
  return found
}

/**
 * Cancels all assignments of a user that have not ended, and deletes all notes about the user. Returns the cancelled
 * assignments.
 */
export async function cancelAllOf(tx: Tx, userGuid: string, now: Date): Promise<readonly ListedAssignment[]> {
  const { orm } = tx.session
  await orm.update(assignments).set({ note: null }).where(eq(assignments.userGuid, userGuid))
  const cancelled = await orm
    .update(assignments)
    .set({ cancelledAt: now, updatedAt: now })
    .where(
      and(
        eq(assignments.userGuid, userGuid),
        isNull(assignments.cancelledAt),
        sql`${assignments.endsAt} > ${now.toISOString()}::timestamptz`,
      ),
    )
    .returning({ guid: assignments.guid })
  if (cancelled.length === 0) return []
  return orm
    .select(columns)
    .from(assignments)
    .leftJoin(matches, eq(matches.guid, assignments.matchGuid))
    .where(
      inArray(
        assignments.guid,
        cancelled.map(({ guid }) => guid),
      ),
    )
}

/** A user's stream assignments. The staff's notes about the user stay with the staff. */
export const streamAssignmentsSections = {
  streamAssignments: rowsOf(assignments, 'userGuid', {
    shows: [
      ...['guid', 'tournamentGuid', 'matchGuid', 'role', 'side', 'slot', 'startsAt', 'endsAt', 'cancelledAt'],
      'createdAt',
    ] as const,
    order: ['startsAt', 'guid'],
  }),
}
