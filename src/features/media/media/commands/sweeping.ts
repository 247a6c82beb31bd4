import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../../../../infra/db/database.ts'
import { lockObject } from '../../../../infra/media/objects/store.ts'
import { objectName, type Storage, variantName } from '../../../../infra/storage/storage.ts'
import { lockMedium } from '../store/media.ts'
import { forgetUses, isStillUnused, listAskedFor, listNamed, listUnused } from '../store/sweep.ts'
import { removeLocked } from './changing.ts'

export interface Sweep {
  readonly database: Pick<Database, 'db' | 'transaction'>
  readonly storage: Storage
  /** The folder of incoming uploads. */
  readonly incoming: string
  readonly now: Date
}

export interface Swept {
  readonly unused: number
  readonly incoming: number
  readonly objects: number
  readonly variants: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const atOnce = 200
/** Number of days for which unrequested variants are kept. They can be made again at any time. */
const variantDays = 30

/** Deletes unused media, abandoned uploads, objects that no row names, and old variants. (M13, M14) */
export async function sweep(parts: Sweep): Promise<Swept> {
  const unused = await sweepUnused(parts)
  const incoming = await sweepIncoming(parts)
  return { unused, incoming, objects: await sweepObjects(parts), variants: await sweepVariants(parts) }
}

/** Deletes each in its own transaction. A medium that is used again by then stays. */
async function sweepUnused({ database, now }: Sweep): Promise<number> {
  let count = 0
  for (;;) {
    const guids = await listUnused(database.db, now, atOnce)
    const before = count
    for (const guid of guids) {
      await database.transaction(async (tx) => {
        const medium = await lockMedium(tx, guid)
        if (medium === undefined || !(await isStillUnused(tx, guid, now))) return
        await removeLocked(tx, medium, { type: 'media.deleted', actorGuid: null })
        count++
      })
    }
    if (guids.length < atOnce || count === before) return count
  }
}

async function sweepIncoming({ incoming, now }: Sweep): Promise<number> {
  let count = 0
  for (const name of await readdir(incoming).catch(() => [])) {
    const file = path.join(incoming, name)
    const found = await stat(file).catch(() => null)
    if (found === null || now.getTime() - found.mtimeMs < hourMs) continue
    await rm(file, { force: true, recursive: true })
    count++
  }
  return count
}

interface Listed {
  readonly name: string
  readonly changedAt: Date
}

/** Deletes objects that are older than a day and in no row. An upload that will name an object holds its lock. */
async function sweepObjects({ database, storage, now }: Sweep): Promise<number> {
  let count = 0
  for await (const digests of unnamed(database, olderThan(storage.list('objects/'), now, dayMs))) {
    for (const digest of digests) {
      if (await dropObject({ database, storage }, digest)) count++
    }
  }
  return count
}

/**
 * Deletes an object and its variants, unless a row names it or an upload holds its lock.
 * @returns whether it was deleted
 */
export async function dropObject(
  { database, storage }: { readonly database: Pick<Database, 'transaction'>; readonly storage: Storage },
  digest: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await lockObject(tx, digest)) || (await listNamed(tx, [digest])).size > 0) return false
    for await (const { name } of storage.list(variantName(digest, ''))) await storage.delete(name)
    await storage.delete(objectName(digest))
    return true
  })
}

/** Deletes variants that were not requested recently, and variants of objects that no row names. */
async function sweepVariants({ database, storage, now }: Sweep): Promise<number> {
  const since = new Date(now.getTime() - variantDays * dayMs)
  let count = 0
  let held: Listed[] = []
  const removeNeedless = async () => {
    const old = held.filter(({ changedAt }) => changedAt < since).map(({ name }) => name)
    const [named, asked] = await Promise.all([
      listNamed(database.db, [...new Set(held.map(({ name }) => digestIn(name)))]),
      listAskedFor(database.db, old, since),
    ])
    const needless = held.filter(
      ({ name, changedAt }) => !named.has(digestIn(name)) || (changedAt < since && !asked.has(name)),
    )
    for (const { name } of needless) await storage.delete(name)
    count += needless.length
    held = []
  }
  for await (const one of storage.list('variants/')) {
    held.push(one)
    if (held.length >= atOnce) await removeNeedless()
  }
  if (held.length > 0) await removeNeedless()
  await database.transaction((tx) => forgetUses(tx, since))
  return count
}

/** Returns the digest in `objects/ab/cd/{digest}` or `variants/{digest}/{name}`. */
export function digestIn(name: string): string {
  return /[\da-f]{64}/.exec(name)?.[0] ?? ''
}

async function* olderThan(listed: AsyncIterable<Listed>, now: Date, ms: number): AsyncGenerator<string> {
  for await (const { name, changedAt } of listed) {
    if (now.getTime() - changedAt.getTime() > ms && digestIn(name) !== '') yield digestIn(name)
  }
}

async function* unnamed(database: Sweep['database'], digests: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  const rest = async () => {
    const named = await listNamed(database.db, batch)
    return batch.filter((digest) => !named.has(digest))
  }
  for await (const digest of digests) {
    batch.push(digest)
    if (batch.length < atOnce) continue
    yield await rest()
    batch = []
  }
  if (batch.length > 0) yield await rest()
}
