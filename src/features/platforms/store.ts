import { eq } from 'drizzle-orm'
import type { Tx } from '../../infra/db/database.ts'
import { platforms } from './tables.ts'

/** Inserts the system platform unless there is one; of several starts at once, one does. */
export async function insertSystemPlatform(tx: Tx, contextId: string, name: string): Promise<void> {
  await tx.session.orm.insert(platforms).values({ contextId, name, isSystem: true }).onConflictDoNothing()
}

export async function findSystemPlatform(tx: Tx): Promise<{ guid: string; contextId: string } | undefined> {
  const [row] = await tx.session.orm
    .select({ guid: platforms.guid, contextId: platforms.contextId })
    .from(platforms)
    .where(eq(platforms.isSystem, true))
  return row
}
