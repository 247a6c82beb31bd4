import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { calendarTokens } from '../tables.ts'

const owner = statement('calendar.token_owner', (orm) =>
  orm
    .select({ guid: users.guid })
    .from(calendarTokens)
    .innerJoin(users, eq(users.guid, calendarTokens.userGuid))
    .where(
      and(eq(calendarTokens.digest, sql.placeholder('digest')), isNull(users.bannedAt), isNull(users.anonymisedAt)),
    ),
)

/** Returns the GUID of the user whose calendar the token opens; undefined while the user is banned. */
export async function findOwner(db: Db, digest: Buffer): Promise<string | undefined> {
  return (await owner(db, { digest }))[0]?.guid
}

/** Saves a token and replaces the user’s previous one. */
export async function putToken(tx: Tx, userGuid: string, digest: Buffer, now: Date): Promise<void> {
  await tx.session.orm
    .insert(calendarTokens)
    .values({ userGuid, digest, createdAt: now })
    .onConflictDoUpdate({ target: calendarTokens.userGuid, set: { digest, createdAt: now } })
}

/** Returns false if the user had no token. */
export async function deleteToken(tx: Tx, userGuid: string): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(calendarTokens)
    .where(eq(calendarTokens.userGuid, userGuid))
    .returning({ userGuid: calendarTokens.userGuid })
  return rows.length > 0
}
