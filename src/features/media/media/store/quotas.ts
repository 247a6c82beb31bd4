import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { mediaQuotas } from '../../../../infra/media/tables.ts'
import type { Used } from '../types.ts'

/** Used bytes and files of each quota. Uploads lock the row of their quota, and so wait for each other. (M16) */

const columns = { usedBytes: mediaQuotas.usedBytes, usedFiles: mediaQuotas.usedFiles }
const nothing: Used = { usedBytes: 0, usedFiles: 0 }

export async function readUsed(db: Db, guid: string): Promise<Used> {
  const [row] = await db.session.orm.select(columns).from(mediaQuotas).where(eq(mediaQuotas.guid, guid))
  return row ?? nothing
}

/** Locks the quota for the rest of the transaction. Call after media are locked. */
export async function lockRoom(tx: Tx, guid: string): Promise<Used> {
  await tx.session.orm.insert(mediaQuotas).values({ guid }).onConflictDoNothing()
  const [row] = await tx.session.orm
    .select(columns)
    .from(mediaQuotas)
    .where(eq(mediaQuotas.guid, guid))
    .for('no key update')
  return row ?? nothing
}

/** Call under `lockRoom`. */
export async function changeUsed(tx: Tx, guid: string, bytes: number, files: number): Promise<void> {
  await tx.session.orm
    .update(mediaQuotas)
    .set({
      usedBytes: sql`greatest(0, ${mediaQuotas.usedBytes} + ${bytes})`,
      usedFiles: sql`greatest(0, ${mediaQuotas.usedFiles} + ${files})`,
    })
    .where(eq(mediaQuotas.guid, guid))
}
