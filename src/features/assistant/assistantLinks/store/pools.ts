import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantPools } from '../tables.ts'

/** GUID of the assistant's pool that this pool was pushed to; null if it was never pushed. (AS25) */
export async function findAssistantPool(db: Db, tournamentGuid: string, poolGuid: string): Promise<string | null> {
  const [row] = await db.session.orm
    .select({ assistantPool: assistantPools.assistantPool })
    .from(assistantPools)
    .where(and(eq(assistantPools.tournamentGuid, tournamentGuid), eq(assistantPools.poolGuid, poolGuid)))
  return row?.assistantPool ?? null
}

export async function writeAssistantPool(
  tx: Tx,
  row: { readonly tournamentGuid: string; readonly poolGuid: string; readonly assistantPool: string },
): Promise<void> {
  await tx.session.orm
    .insert(assistantPools)
    .values(row)
    .onConflictDoUpdate({
      target: [assistantPools.tournamentGuid, assistantPools.poolGuid],
      set: { assistantPool: row.assistantPool },
    })
}
