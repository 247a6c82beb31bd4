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

/** GUID of the user whose calendar it opens; nobody’s while they are banned. */
export async function findOwner(db: Db, digest: Buffer): Promise<string | undefined> {
  return (await owner(db, { digest }))[0]?.guid
}

/** Puts a token in the place of the user’s, if they have one. */
export async function putToken(tx: Tx, userGuid: string, digest: Buffer, now: Date): Promise<void> {
  await tx.session.orm
    .insert(calendarTokens)
    .values({ userGuid, digest, createdAt: now })
    .onConflictDoUpdate({ target: calendarTokens.userGuid, set: { digest, createdAt: now } })
}

/** Whether there was one. */
export async function deleteToken(tx: Tx, userGuid: string): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(calendarTokens)
    .where(eq(calendarTokens.userGuid, userGuid))
    .returning({ userGuid: calendarTokens.userGuid })
  return rows.length > 0
}
