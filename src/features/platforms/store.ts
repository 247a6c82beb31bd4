import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db/database.ts'
import { platforms } from './tables.ts'
import type { Platform } from './types.ts'

/** Inserts the system platform unless there is one; of several starts at once, one does. */
export async function insertSystemPlatform(tx: Tx, contextId: string, name: string): Promise<void> {
  await tx.session.orm.insert(platforms).values({ contextId, name, isSystem: true }).onConflictDoNothing()
}

/** The platform that every tournament's main listing is decided on; each start makes sure that there is one. */
export async function loadSystemPlatform(db: Db): Promise<Platform> {
  const [row] = await db.session.orm
    .select({ guid: platforms.guid, contextId: platforms.contextId, isSystem: platforms.isSystem })
    .from(platforms)
    .where(eq(platforms.isSystem, true))
  if (row === undefined) throw new Error('there is no system platform')
  return row
}
