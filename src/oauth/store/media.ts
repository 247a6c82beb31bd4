import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db/database.ts'
import type { MediaColumn } from '../../infra/media/store.ts'
import { applications } from '../tables.ts'

export const imageColumn: MediaColumn = {
  table: applications,
  key: applications.clientId,
  column: applications.imageUrl,
}

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: applications.clientId, name: applications.name })
    .from(applications)
    .where(sql`${applications.clientId} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}

export async function findOwner(db: Db, clientId: string): Promise<string | undefined> {
  const [row] = await db.session.orm
    .select({ ownerGuid: applications.ownerGuid })
    .from(applications)
    .where(eq(applications.clientId, clientId))
  return row?.ownerGuid
}

/** Locks an application of any owner, and returns its picture; undefined where it does not exist. */
export async function lockImage(tx: Tx, clientId: string): Promise<{ imageUrl: string | null } | undefined> {
  const [row] = await tx.session.orm
    .select({ imageUrl: applications.imageUrl })
    .from(applications)
    .where(eq(applications.clientId, clientId))
    .for('update')
  return row
}
