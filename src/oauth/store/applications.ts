import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { isGuid, normaliseGuid } from '../../core/ids.ts'
import { users } from '../../features/people/users/tables.ts'
import { type Db, statement, type Tx } from '../../infra/db/database.ts'
import { applications } from '../tables.ts'
import type { Application, Client } from '../types.ts'

const { secretHash, ...shownColumns } = getTableColumns(applications)

const byClientId = statement('applications.by_client_id', (orm) =>
  orm
    .select()
    .from(applications)
    .where(eq(applications.clientId, sql.placeholder('clientId'))),
)

/** Finds a client by the `client_id` of a request, which may be any text. */
export async function findClient(db: Db, clientId: string): Promise<Client | undefined> {
  return isGuid(clientId) ? (await byClientId(db, { clientId: normaliseGuid(clientId) }))[0] : undefined
}

const lockedForKeyShare = statement('applications.keep', (orm) =>
  orm
    .select()
    .from(applications)
    .where(eq(applications.clientId, sql.placeholder('clientId')))
    .for('key share'),
)

/**
 * Like `findClient`, but prevents the client's deletion until the end of the transaction, so that new tokens are
 * deleted with it.
 */
export async function lockClientForKeyShare(tx: Tx, clientId: string): Promise<Client | undefined> {
  return isGuid(clientId) ? (await lockedForKeyShare(tx, { clientId: normaliseGuid(clientId) }))[0] : undefined
}

/** Without the digest of the secret. */
export async function findApplication(db: Db, clientId: string, ownerGuid: string): Promise<Application | undefined> {
  if (!isGuid(clientId)) return undefined
  const [row] = await db.session.orm.select(shownColumns).from(applications).where(owned(clientId, ownerGuid))
  return row
}

/** Finds an application of the owner, and locks it until the end of the transaction. */
export async function lockApplication(tx: Tx, clientId: string, ownerGuid: string): Promise<Application | undefined> {
  if (!isGuid(clientId)) return undefined
  const [row] = await tx.session.orm
    .select(shownColumns)
    .from(applications)
    .where(owned(clientId, ownerGuid))
    .for('update')
  return row
}

function owned(clientId: string, ownerGuid: string) {
  return and(eq(applications.clientId, normaliseGuid(clientId)), eq(applications.ownerGuid, ownerGuid))
}

/** Oldest first; the maximum number is limited by a rule. */
export async function listApplications(db: Db, ownerGuid: string): Promise<Application[]> {
  return db.session.orm
    .select(shownColumns)
    .from(applications)
    .where(eq(applications.ownerGuid, ownerGuid))
    .orderBy(asc(applications.createdAt), asc(applications.clientId))
}

/**
 * Locks a user's record, so that concurrent registrations are counted one after another. Returns whether the account
 * still exists.
 */
export async function lockOwner(tx: Tx, guid: string): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(and(eq(users.guid, guid), isNull(users.anonymisedAt)))
    .for('no key update')
  return rows.length > 0
}

export async function countApplications(tx: Tx, ownerGuid: string): Promise<number> {
  return tx.session.orm.$count(applications, eq(applications.ownerGuid, ownerGuid))
}

export type NewApplication = Pick<
  Client,
  'ownerGuid' | 'name' | 'imageUrl' | 'type' | 'scopes' | 'redirectUris' | 'secretHash'
>

export async function insertApplication(tx: Tx, application: NewApplication): Promise<Application> {
  const { scopes, redirectUris } = application
  const [row] = await tx.session.orm
    .insert(applications)
    .values({ ...application, scopes: [...scopes], redirectUris: [...redirectUris] })
    .returning(shownColumns)
  if (row === undefined) throw new Error('an inserted application was not returned')
  return row
}

export type ApplicationChanges = Partial<
  Pick<typeof applications.$inferInsert, 'name' | 'imageUrl' | 'scopes' | 'redirectUris' | 'secretHash'>
>

export async function updateApplication(
  tx: Tx,
  clientId: string,
  changes: ApplicationChanges,
  now: Date,
): Promise<Application> {
  const [row] = await tx.session.orm
    .update(applications)
    .set({ ...changes, updatedAt: now })
    .where(eq(applications.clientId, clientId))
    .returning(shownColumns)
  if (row === undefined) throw new Error('an updated application was not returned')
  return row
}

/** Deletes an application with its codes, requests, grants, consents and all their tokens. */
export async function deleteApplication(tx: Tx, clientId: string): Promise<void> {
  await tx.session.orm.delete(applications).where(eq(applications.clientId, clientId))
}
