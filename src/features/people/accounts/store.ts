import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { eventLog } from '../../../infra/events/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { users } from '../users/tables.ts'

/** Whether the tournament is active. (D52) */
const isActive = inArray(tournaments.status, ['draft', 'approved', 'ongoing'])

/** Lists the active tournaments of an organiser, oldest first. */
export async function listOrganised(db: Db, userGuid: string, limit: number): Promise<{ id: string }[]> {
  return db.session.orm
    .select({ id: tournaments.id })
    .from(tournaments)
    .where(and(eq(tournaments.organiserGuid, userGuid), isActive))
    .orderBy(tournaments.createdAt, tournaments.guid)
    .limit(limit)
}

/** Lists the registered and qualified teams of a captain in active tournaments, oldest first. */
export async function listCaptained(
  db: Db,
  userGuid: string,
  limit: number,
): Promise<{ name: string; tournamentId: string }[]> {
  return db.session.orm
    .select({ name: teams.name, tournamentId: tournaments.id })
    .from(teams)
    .innerJoin(tournaments, eq(tournaments.guid, teams.tournamentGuid))
    .where(and(eq(teams.captainGuid, userGuid), ne(teams.status, 'unregistered'), isActive))
    .orderBy(teams.createdAt, teams.guid)
    .limit(limit)
}

/**
 * Returns the next number for a removed placeholder among those of its tournament. The transaction holds the numbers of
 * the tournament until it ends.
 */
export async function takeNumber(tx: Tx, userGuid: string): Promise<number> {
  const { orm } = tx.session
  const [user] = await orm.select({ maker: users.madeByTournamentGuid }).from(users).where(eq(users.guid, userGuid))
  const maker = user?.maker ?? null
  await orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('removed placeholders ' || ${maker ?? ''}::text, 0))`,
  )
  const [row] = await orm
    .select({ removed: sql<number>`count(*)::int` })
    .from(users)
    .where(
      and(
        maker === null ? isNull(users.madeByTournamentGuid) : eq(users.madeByTournamentGuid, maker),
        eq(users.isPlaceholder, true),
        sql`${users.chatPlatformId} = 'deleted:' || ${users.guid}`,
      ),
    )
  return (row?.removed ?? 0) + 1
}

/**
 * Returns the result of `lock`. If it is undefined, more rows needed a lock in the meantime: all its locks are released
 * and it is called again, as locking the other rows out of order could deadlock.
 */
export async function lockedWhole<T>(tx: Tx, lock: () => Promise<T | undefined>): Promise<T> {
  const { orm } = tx.session
  for (;;) {
    await orm.execute(sql`savepoint locking`)
    const locked = await lock()
    await orm.execute(locked === undefined ? sql`rollback to savepoint locking` : sql`release savepoint locking`)
    if (locked !== undefined) return locked
  }
}

/**
 * A user's actions, without the changed data, which is often about other users. The event log does not change when an
 * account is deleted: it names users by GUID only.
 */
export const activityPersonalData = declarePersonalData({
  sections: {
    activity: rowsOf(eventLog, 'actor', { shows: ['at', 'type', 'subject', 'tournament'], order: ['seq'] }),
  },
})
