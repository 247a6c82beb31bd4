import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'

/** (D52) */
const isActive = inArray(tournaments.status, ['draft', 'approved', 'ongoing'])

/** Active tournaments of an organiser, the oldest first. */
export async function listOrganised(db: Db, userGuid: string, limit: number): Promise<{ id: string }[]> {
  return db.session.orm
    .select({ id: tournaments.id })
    .from(tournaments)
    .where(and(eq(tournaments.organiserGuid, userGuid), isActive))
    .orderBy(tournaments.createdAt, tournaments.guid)
    .limit(limit)
}

/** Registered and qualified teams of a captain in active tournaments, the oldest first. */
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
 * Returns what `lock` returns. Where that is undefined, more rows were to be locked by the time it was done: its locks are
 * then released and it is called again, because locking the rest out of order could deadlock.
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
