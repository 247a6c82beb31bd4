import type { Tx } from '../../../../infra/db/database.ts'
import type { Cover } from '../../../../infra/pictures/pictures.ts'
import { findCover } from '../../../maps/pools/store/covers.ts'
import { lockStored } from '../store/media-objects.ts'
import type { BroughtMedia } from './media.ts'
import type { ReadRow } from './reading.ts'

/** What a copy of a tournament of this service has in common with it: files are stored once, by their content. (R1) */

/** Finds the files of media here. They are not deleted before the transaction ends. */
export async function shareFiles(tx: Tx, rows: readonly ReadRow[]): Promise<BroughtMedia> {
  const digests = rows.map(({ row }) => String(row.digest))
  const stored = await lockStored(tx, digests)
  const facts = new Map(rows.map(({ row }) => [String(row.guid), stored.has(String(row.digest)) ? row : null]))
  return { facts, changed: [] }
}

/** Returns the covers of the pools, by the GUID of the pool. */
export async function shareCovers(tx: Tx, rows: readonly ReadRow[]): Promise<ReadonlyMap<string, Cover>> {
  const covers = new Map<string, Cover>()
  for (const { row } of rows) {
    const cover = await findCover(tx, String(row.poolGuid))
    if (cover !== undefined) covers.set(String(row.poolGuid), cover)
  }
  return covers
}
