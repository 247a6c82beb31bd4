import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { users } from '../users/tables.ts'
import { keptPerUser, mailsPerHour } from './rules.ts'
import { emailVerifications as verifications } from './tables.ts'
import type { Verification, VerificationOfUser } from './types.ts'

/** The verifications that a user requested, without the hashes of their tokens. */
export const emailsPersonalData = declarePersonalData({
  sections: {
    emailVerifications: rowsOf(verifications, 'userGuid', {
      shows: ['guid', 'email', 'requestedAt', 'expiresAt', 'sentAt', 'refusedAt', 'usedAt', 'voidedAt'],
      order: ['requestedAt', 'guid'],
    }),
  },
  forget: [deleteRows(verifications, 'userGuid')],
})

const { tokenHash: _hash, ...columns } = getTableColumns(verifications)
const columnsWithUser = {
  ...columns,
  username: users.username,
  isBarred: sql<boolean>`${users.bannedAt} is not null or ${users.anonymisedAt} is not null`,
}

const byTokenHash = statement('emails.by_token_hash', (orm) =>
  orm
    .select(columnsWithUser)
    .from(verifications)
    .innerJoin(users, eq(users.guid, verifications.userGuid))
    .where(eq(verifications.tokenHash, sql.placeholder('tokenHash'))),
)

export async function findVerificationByToken(db: Db, tokenHash: Buffer): Promise<VerificationOfUser | undefined> {
  return (await byTokenHash(db, { tokenHash }))[0]
}

export async function findVerification(db: Db, guid: string): Promise<VerificationOfUser | undefined> {
  const [row] = await db.session.orm
    .select(columnsWithUser)
    .from(verifications)
    .innerJoin(users, eq(users.guid, verifications.userGuid))
    .where(eq(verifications.guid, guid))
  return row
}

/** Lists all saved verifications of a user, newest first. */
export async function listVerifications(db: Db, userGuid: string): Promise<Verification[]> {
  return db.session.orm
    .select(columns)
    .from(verifications)
    .where(eq(verifications.userGuid, userGuid))
    .orderBy(desc(verifications.requestedAt), desc(verifications.guid))
    .limit(keptPerUser)
}

/** Generates a GUID before the insert: the token is derived from it, and the token's hash is part of the row. */
export async function newGuid(tx: Tx): Promise<string> {
  const { rows } = await tx.session.orm.execute<{ guid: string }>(sql`select gen_random_uuid() as guid`)
  const guid = rows[0]?.guid
  if (guid === undefined) throw new Error('the database made no GUID')
  return guid
}

export type NewVerification = Pick<Verification, 'guid' | 'userGuid' | 'email' | 'requestedAt' | 'expiresAt'> & {
  readonly tokenHash: Buffer
}

export async function insertVerification(tx: Tx, verification: NewVerification): Promise<void> {
  await tx.session.orm.insert(verifications).values(verification)
}

/** Locks an address until the transaction ends, so that requests for mails to it, by any user, are serialised. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('email_verifications ' || lower(${email}), 0))`,
  )
}

/** The times of the newest five requests since then, by this user and, separately, to this address. */
export async function listRequestTimes(
  db: Db,
  userGuid: string,
  email: string,
  since: Date,
): Promise<{ ofUser: Date[]; toAddress: Date[] }> {
  const newest = async (named: ReturnType<typeof eq>) => {
    const rows = await db.session.orm
      .select({ requestedAt: verifications.requestedAt })
      .from(verifications)
      .where(and(named, gt(verifications.requestedAt, since)))
      .orderBy(desc(verifications.requestedAt))
      .limit(mailsPerHour)
    return rows.map(({ requestedAt }) => requestedAt)
  }
  const [ofUser, toAddress] = await Promise.all([
    newest(eq(verifications.userGuid, userGuid)),
    newest(eq(sql`lower(${verifications.email})`, sql`lower(${email})`)),
  ])
  return { ofUser, toAddress }
}

/** Returns false if there were none. */
export async function voidOpenVerifications(tx: Tx, userGuid: string, now: Date): Promise<boolean> {
  const result = await tx.session.orm
    .update(verifications)
    .set({ voidedAt: now })
    .where(
      and(
        eq(verifications.userGuid, userGuid),
        isNull(verifications.usedAt),
        isNull(verifications.voidedAt),
        gt(verifications.expiresAt, now),
      ),
    )
  return (result.rowCount ?? 0) > 0
}

/** Deletes all but the newest of a user's requests. */
export async function deleteOldVerifications(tx: Tx, userGuid: string, kept: number): Promise<void> {
  const { orm } = tx.session
  const old = orm
    .select({ guid: verifications.guid })
    .from(verifications)
    .where(eq(verifications.userGuid, userGuid))
    .orderBy(desc(verifications.requestedAt), desc(verifications.guid))
    .offset(kept)
  await orm.delete(verifications).where(inArray(verifications.guid, old))
}

export type Mark = Partial<Pick<Verification, 'sentAt' | 'refusedAt' | 'usedAt'>>

export async function markVerification(tx: Tx, guid: string, mark: Mark): Promise<void> {
  await tx.session.orm.update(verifications).set(mark).where(eq(verifications.guid, guid))
}

/** Deletes at most `limit` verifications that expired before then; returns their number. */
export async function deleteExpiredVerifications(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ guid: verifications.guid })
    .from(verifications)
    .where(lt(verifications.expiresAt, before))
    .limit(limit)
  const result = await orm.delete(verifications).where(inArray(verifications.guid, expired))
  return result.rowCount ?? 0
}

/** GUIDs of all verifications whose link may still be used. */
export async function listOpen(db: Db, now: Date): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: verifications.guid })
    .from(verifications)
    .where(and(isNull(verifications.usedAt), isNull(verifications.voidedAt), gt(verifications.expiresAt, now)))
  return rows.map(({ guid }) => guid)
}

export async function setTokenHash(tx: Tx, guid: string, tokenHash: Buffer): Promise<void> {
  await tx.session.orm.update(verifications).set({ tokenHash }).where(eq(verifications.guid, guid))
}
