import type { Database, Tx } from '../db/database.ts'

const batch = 1_000

/**
 * Deletes all matching rows in batches. Each batch has a transaction of its own, so that no transaction locks many
 * rows.
 * @param remove deletes at most `limit` rows and returns how many it deleted
 */
export async function deleteInBatches(
  database: Pick<Database, 'transaction'>,
  remove: (tx: Tx, limit: number) => Promise<number>,
): Promise<void> {
  for (let removed = batch; removed === batch; ) removed = await database.transaction((tx) => remove(tx, batch))
}
