import { and, desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { shownChatIdOf, users } from '../../users/tables.ts'
import { claimLinks, claims } from '../tables.ts'
import type { Claim, ClaimLink, Moved, Placeholder } from '../types.ts'

const { secretHash: _secret, ...linkColumns } = getTableColumns(claimLinks)

/**
 * What a user has taken over, and the links that they made. Placeholders of a deleted account have its name,
 * which goes with it.
 */
export const claimsPersonalData = declarePersonalData({
  sections: {
    claims: rowsOf(claims, 'userGuid', { shows: ['placeholderGuid', 'tournamentGuid', 'createdAt', 'undoneAt'] }),
    claimLinksMade: rowsOf(claimLinks, 'createdByGuid', {
      shows: ['placeholderGuid', 'tournamentGuid', 'createdAt', 'usedAt', 'revokedAt'],
    }),
  },
  forget: [
    async (tx, { guid }) => {
      await tx.session.orm.execute(sql`
        update ${users} p set username = 'deleted-user', preferred_name = 'Deleted user' from ${claims} c
        where c.user_guid = ${guid} and c.undone_at is null and p.guid = c.placeholder_guid and p.anonymised_at is not null`)
    },
    async (tx, { guid }) => {
      await tx.session.orm.execute(sql`
        update ${users} p set awaited_chat_id = null from ${users} own
        where own.guid = ${guid} and p.awaited_chat_id = own.chat_platform_id`)
    },
    deleteRows(claims, 'userGuid'),
    deleteRows(claims, 'placeholderGuid'),
    deleteRows(claimLinks, 'placeholderGuid'),
  ],
})

/** Finds a person who has not signed in and was made by an import. */
export async function findPlaceholder(db: Db, guid: string): Promise<Placeholder | undefined> {
  const [row] = await db.session.orm
    .select({
      guid: users.guid,
      preferredName: users.preferredName,
      chatPlatformId: sql<string>`coalesce(${users.awaitedChatId}, ${shownChatIdOf(users)})`,
      tournamentGuid: sql<string>`${users.madeByTournamentGuid}`,
    })
    .from(users)
    .where(
      and(
        eq(users.guid, guid),
        eq(users.isPlaceholder, true),
        isNotNull(users.madeByTournamentGuid),
        isNull(users.anonymisedAt),
      ),
    )
  return row
}

export async function insertLink(
  tx: Tx,
  link: Pick<ClaimLink, 'placeholderGuid' | 'tournamentGuid' | 'createdByGuid' | 'createdAt' | 'expiresAt'>,
  secretHash: Buffer,
): Promise<ClaimLink> {
  const [row] = await tx.session.orm
    .insert(claimLinks)
    .values({ ...link, secretHash })
    .returning(linkColumns)
  if (row === undefined) throw new Error('an inserted link was not returned')
  return row
}

/** Lists one placeholder's links, newest first. Their number is limited. */
export async function listLinks(db: Db, placeholderGuid: string): Promise<ClaimLink[]> {
  return db.session.orm
    .select(linkColumns)
    .from(claimLinks)
    .where(eq(claimLinks.placeholderGuid, placeholderGuid))
    .orderBy(desc(claimLinks.createdAt), desc(claimLinks.guid))
}

export async function findLinkBySecret(db: Db, secretHash: Buffer): Promise<ClaimLink | undefined> {
  const [row] = await db.session.orm.select(linkColumns).from(claimLinks).where(eq(claimLinks.secretHash, secretHash))
  return row
}

export async function endLink(
  tx: Tx,
  guid: string,
  changes: Partial<Pick<ClaimLink, 'usedAt' | 'revokedAt'>>,
): Promise<void> {
  await tx.session.orm.update(claimLinks).set(changes).where(eq(claimLinks.guid, guid))
}

export async function insertClaim(
  tx: Tx,
  claim: Pick<Claim, 'placeholderGuid' | 'userGuid' | 'tournamentGuid' | 'createdAt'> & { readonly moved: Moved },
): Promise<Claim> {
  const [row] = await tx.session.orm.insert(claims).values(claim).returning()
  if (row === undefined) throw new Error('an inserted claim was not returned')
  return row
}

export async function findClaim(db: Db, guid: string): Promise<Claim | undefined> {
  const [row] = await db.session.orm.select().from(claims).where(eq(claims.guid, guid))
  return row
}

export async function lockClaim(tx: Tx, guid: string): Promise<Claim | undefined> {
  const [row] = await tx.session.orm.select().from(claims).where(eq(claims.guid, guid)).for('update')
  return row
}

export async function endClaim(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm.update(claims).set({ undoneAt: now }).where(eq(claims.guid, guid))
}

/** Locks two users in one order, the dead ones too. */
export async function lockPair(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(sql`${users.guid} = any(${sql.param([...guids])}::uuid[])`)
    .orderBy(users.guid)
    .for('update')
}

/** A placeholder that somebody has taken over counts as gone, until it is taken back. */
export async function setGone(tx: Tx, guid: string, anonymisedAt: Date | null): Promise<void> {
  await tx.session.orm.update(users).set({ anonymisedAt }).where(eq(users.guid, guid))
}
