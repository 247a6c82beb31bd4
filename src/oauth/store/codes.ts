import { eq, inArray, lt, sql } from 'drizzle-orm'
import { users } from '../../features/people/users/tables.ts'
import { statement, type Tx } from '../../infra/db/database.ts'
import { applications, authorizationCodes, deviceRequests } from '../tables.ts'
import { subjectColumns } from './grants.ts'

/** Authorization codes, and the requests of devices: each can become a grant once. */

export type NewCode = Omit<typeof authorizationCodes.$inferInsert, 'guid' | 'usedAt'>

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await tx.session.orm.insert(authorizationCodes).values(code)
}

const lockedCode = statement('codes.lock', (orm) =>
  orm
    .select({
      guid: authorizationCodes.guid,
      clientId: authorizationCodes.clientId,
      redirectUri: authorizationCodes.redirectUri,
      challenge: authorizationCodes.challenge,
      scopes: authorizationCodes.scopes,
      expiresAt: authorizationCodes.expiresAt,
      usedAt: authorizationCodes.usedAt,
      subject: subjectColumns,
    })
    .from(authorizationCodes)
    .innerJoin(users, eq(users.guid, authorizationCodes.userGuid))
    .where(eq(authorizationCodes.codeHash, sql.placeholder('codeHash')))
    .for('update', { of: authorizationCodes }),
)

export type Code = Awaited<ReturnType<typeof lockedCode>>[number]

/** Locks the code, so that of two concurrent uses the second one sees the first. */
export async function lockCode(tx: Tx, codeHash: Buffer): Promise<Code | undefined> {
  return (await lockedCode(tx, { codeHash }))[0]
}

const use = statement('codes.use', (orm) =>
  orm
    .update(authorizationCodes)
    .set({ usedAt: sql`${sql.placeholder('now')}::timestamptz` })
    .where(eq(authorizationCodes.guid, sql.placeholder('guid'))),
)

export async function useCode(tx: Tx, guid: string, now: Date): Promise<void> {
  await use(tx, { guid, now: now.toISOString() })
}

/** Deletes at most `limit` codes that expired before `before`; returns their number. */
export async function deleteExpiredCodes(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ guid: authorizationCodes.guid })
    .from(authorizationCodes)
    .where(lt(authorizationCodes.expiresAt, before))
    .limit(limit)
  const result = await orm.delete(authorizationCodes).where(inArray(authorizationCodes.guid, expired))
  return result.rowCount ?? 0
}

export type NewDeviceRequest = Pick<
  typeof deviceRequests.$inferInsert,
  'deviceCodeHash' | 'userCodeSeal' | 'clientId' | 'scopes' | 'expiresAt' | 'interval'
>

/** Inserts a request; returns whether the user code was free. */
export async function insertDeviceRequest(tx: Tx, request: NewDeviceRequest): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(deviceRequests)
    .values(request)
    .onConflictDoNothing({ target: deviceRequests.userCodeSeal })
    .returning({ guid: deviceRequests.guid })
  return rows.length > 0
}

const requestColumns = {
  guid: deviceRequests.guid,
  clientId: deviceRequests.clientId,
  scopes: deviceRequests.scopes,
  expiresAt: deviceRequests.expiresAt,
  interval: deviceRequests.interval,
  askedAt: deviceRequests.askedAt,
  decision: deviceRequests.decision,
  usedAt: deviceRequests.usedAt,
}

/** Locks a request, found by its device code; the subject is null until a user has decided. */
export async function lockDeviceRequest(tx: Tx, deviceCodeHash: Buffer) {
  const [row] = await tx.session.orm
    .select({ ...requestColumns, subject: subjectColumns })
    .from(deviceRequests)
    .leftJoin(users, eq(users.guid, deviceRequests.userGuid))
    .where(eq(deviceRequests.deviceCodeHash, deviceCodeHash))
    .for('update', { of: deviceRequests })
  return row
}

export type DeviceRequest = NonNullable<Awaited<ReturnType<typeof lockDeviceRequest>>>

/** Locks a request, found by its user code, and returns it with its application. */
export async function lockDeviceRequestOfUser(tx: Tx, userCodeSeal: string) {
  const [row] = await tx.session.orm
    .select({ ...requestColumns, application: applications })
    .from(deviceRequests)
    .innerJoin(applications, eq(applications.clientId, deviceRequests.clientId))
    .where(eq(deviceRequests.userCodeSeal, userCodeSeal))
    .for('update', { of: deviceRequests })
  return row
}

export type DeviceRequestChanges = Partial<
  Pick<typeof deviceRequests.$inferInsert, 'askedAt' | 'interval' | 'userGuid' | 'decision' | 'usedAt'>
>

export async function updateDeviceRequest(tx: Tx, guid: string, changes: DeviceRequestChanges): Promise<void> {
  await tx.session.orm.update(deviceRequests).set(changes).where(eq(deviceRequests.guid, guid))
}

/** Deletes at most `limit` requests that expired before `before`; returns their number. */
export async function deleteExpiredDeviceRequests(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ guid: deviceRequests.guid })
    .from(deviceRequests)
    .where(lt(deviceRequests.expiresAt, before))
    .limit(limit)
  const result = await orm.delete(deviceRequests).where(inArray(deviceRequests.guid, expired))
  return result.rowCount ?? 0
}
