import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { streamAssignments } from '../../streamAssignments/tables.ts'
import { streamKeys } from '../../streamKeys/tables.ts'
import { streamServers } from '../../streamServers/tables.ts'
import type { Claim } from '../rules.ts'

/**
 * Reads under locks what decides whether a user may publish. A transaction that removes the right waits for these
 * locks.
 */

const lockedUser = statement('stream_sessions.lock_user', (orm) =>
  orm
    .select({ isBarred: sql<boolean>`${users.bannedAt} is not null or ${users.anonymisedAt} is not null` })
    .from(users)
    .where(eq(users.guid, sql.placeholder('guid')))
    .for('no key update'),
)

/**
 * Locks the user, which serialises their publications.
 * @returns whether the account may publish at all
 */
export async function lockPublisher(tx: Tx, guid: string): Promise<boolean> {
  const [row] = await lockedUser(tx, { guid })
  return row !== undefined && !row.isBarred
}

const isValid = or(isNull(streamKeys.expiresAt), gt(streamKeys.expiresAt, sql`now()`))

const lockedKey = statement('stream_sessions.lock_key', (orm) =>
  orm
    .select({ guid: streamKeys.guid, expiresAt: streamKeys.expiresAt })
    .from(streamKeys)
    .where(and(eq(streamKeys.guid, sql.placeholder('guid')), isValid))
    .for('key share'),
)

/** Returns the key if it is valid; it stays valid until the transaction ends. */
export async function lockKeyForKeyShare(
  tx: Tx,
  guid: string,
): Promise<{ readonly expiresAt: Date | null } | undefined> {
  return (await lockedKey(tx, { guid }))[0]
}

/**
 * Returns the user's valid key that ends last, for a stream whose key is not known. All valid keys are locked until the
 * transaction ends, so a transaction that removes the last key afterwards finds the stream and ends it. (S3, S8)
 */
export async function lockAnyKeyForKeyShare(
  tx: Tx,
  userGuid: string,
): Promise<{ readonly expiresAt: Date | null } | undefined> {
  const keys = await tx.session.orm
    .select({ expiresAt: streamKeys.expiresAt })
    .from(streamKeys)
    .where(and(eq(streamKeys.userGuid, userGuid), isValid))
    .orderBy(sql`${streamKeys.expiresAt} desc nulls first`)
    .for('key share')
  return keys[0]
}

const lockedServer = statement('stream_sessions.lock_server', (orm) =>
  orm
    .select({ enabled: streamServers.enabled })
    .from(streamServers)
    .where(eq(streamServers.guid, sql.placeholder('guid')))
    .for('key share'),
)

/**
 * Whether the server is enabled. A transaction that disables it waits for the lock and then ends the streams that were
 * let in.
 */
export async function lockEnabledServerForKeyShare(tx: Tx, guid: string): Promise<boolean> {
  return (await lockedServer(tx, { guid }))[0]?.enabled === true
}

const claimsOf = statement('stream_sessions.claims', (orm) =>
  orm
    .select({
      guid: streamAssignments.guid,
      tournamentGuid: streamAssignments.tournamentGuid,
      tournamentStatus: tournaments.status,
      startsAt: streamAssignments.startsAt,
      endsAt: streamAssignments.endsAt,
      updatedAt: streamAssignments.updatedAt,
    })
    .from(streamAssignments)
    .innerJoin(tournaments, eq(tournaments.guid, streamAssignments.tournamentGuid))
    .where(
      and(
        eq(streamAssignments.userGuid, sql.placeholder('user')),
        isNull(streamAssignments.cancelledAt),
        gt(streamAssignments.endsAt, sql`now() - interval '1 hour'`),
        lt(streamAssignments.startsAt, sql`now() + interval '1 hour'`),
      ),
    ),
)

/** Lists the user's assignments from an hour ago to an hour from now. */
export async function listClaims(db: Db, user: string): Promise<Claim[]> {
  return claimsOf(db, { user })
}
