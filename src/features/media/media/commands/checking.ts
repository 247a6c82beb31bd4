import { createHash } from 'node:crypto'
import type { Db } from '../../../../infra/db/database.ts'
import { objectName, type Storage } from '../../../../infra/storage/storage.ts'
import { listNamed, listNamedObjects, listRoomDifferences, type NamedObject } from '../store/sweep.ts'
import { digestIn } from './sweeping.ts'

export interface Checked {
  /** One line for each fault. */
  readonly faults: readonly string[]
  readonly objects: number
  /** Number of objects that no row names. The sweep deletes them when they are a day old. */
  readonly unnamed: number
}

const atOnce = 500
const maxFaults = 1_000
/** Age after which an object without a row is a fault, in milliseconds: the sweep should have deleted it by then. */
const lateMs = 2 * 24 * 3_600_000

/**
 * Compares rows with objects. Each row must have an object of its size and, with `deep`, of its digest. No object may
 * stay without a row for long. The counts of the storage quotas must be correct. (M13)
 */
export async function check(db: Db, storage: Storage, deep: boolean, now: Date): Promise<Checked> {
  const faults: string[] = []
  let objects = 0
  for (let after = ''; faults.length < maxFaults; ) {
    const named = await listNamedObjects(db, after, atOnce)
    for (const one of named) faults.push(...(await faultsOf(storage, one, deep)))
    objects += named.length
    if (named.length < atOnce) break
    after = named.at(-1)?.digest ?? ''
  }
  let unnamed = 0
  let batch: { readonly digest: string; readonly isLate: boolean }[] = []
  const look = async () => {
    const named = await listNamed(
      db,
      batch.map(({ digest }) => digest),
    )
    for (const { digest, isLate } of batch.filter((one) => !named.has(one.digest))) {
      unnamed++
      if (isLate) faults.push(`object ${digest} is named by nothing, and was not swept`)
    }
    batch = []
  }
  for await (const { name, changedAt } of storage.list('objects/')) {
    batch.push({ digest: digestIn(name), isLate: now.getTime() - changedAt.getTime() > lateMs })
    if (batch.length >= atOnce) await look()
  }
  if (batch.length > 0) await look()
  for (const { guid, usedBytes, usedFiles, bytes, files } of await listRoomDifferences(db, maxFaults)) {
    faults.push(`room ${guid} counts ${usedFiles} files of ${usedBytes} bytes, and has ${files} of ${bytes}`)
  }
  return { faults, objects, unnamed }
}

async function faultsOf(storage: Storage, { digest, bytes }: NamedObject, deep: boolean): Promise<string[]> {
  const found = await storage.head(objectName(digest))
  if (found === null) return [`object ${digest} is missing`]
  if (found.bytes !== bytes) return [`object ${digest} has ${found.bytes} bytes, and should have ${bytes}`]
  if (!deep) return []
  const read = await storage.get(objectName(digest))
  if (read === null) return [`object ${digest} is missing`]
  const hash = createHash('sha256')
  for await (const chunk of read.stream) hash.update(chunk as Buffer)
  return hash.digest('hex') === digest ? [] : [`object ${digest} holds something else`]
}
