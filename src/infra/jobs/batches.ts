import type { Database, Tx } from '../db/database.ts'

const batch = 1_000

/**
 * Deletes all that there is to delete, each batch in a transaction of its own, so that none locks many rows.
 * @param remove deletes at most `limit` rows, and answers how many there were
 */
export async function deleteInBatches(
  database: Pick<Database, 'transaction'>,
  remove: (tx: Tx, limit: number) => Promise<number>,
): Promise<void> {
  for (let removed = batch; removed === batch; ) removed = await database.transaction((tx) => remove(tx, batch))
}
