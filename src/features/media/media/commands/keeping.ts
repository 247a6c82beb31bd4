import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MediaKind } from '../../../../core/media.ts'
import { mediaKinds } from '../../../../core/media.ts'
import { busy } from '../../../../core/problem.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { storeObject } from '../../../../infra/media/objects/keep.ts'
import { lockObjectForShare } from '../../../../infra/media/objects/store.ts'
import { objectName } from '../../../../infra/storage/storage.ts'
import type { Services } from '../../../../services.ts'
import { blockedUpload } from '../prepare.ts'
import { nameOf } from '../rules.ts'
import { findMedium, insertMedium, isBlocked, lockBrought, lockUploadForShare } from '../store/media.ts'
import type { Brought, Medium } from '../types.ts'

/**
 * Media that the service itself fetches. They are decoded, re-encoded and stored like uploads, but have no owner.
 * (M6, M12)
 */

type Incoming = Pick<Services, 'config' | 'decoder' | 'storage'>

/**
 * Lets `save` write a file, and passes it to `use`. Deletes the file afterwards.
 * @param save writes the file to the given path
 */
export async function withIncoming<T>(
  { config }: Pick<Services, 'config'>,
  save: (file: string) => Promise<void>,
  use: (file: string, digest: string) => Promise<T>,
): Promise<T> {
  const folder = path.join(config.dataDir, 'media', 'incoming')
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const file = path.join(folder, randomUUID())
  try {
    await save(file)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    return await use(file, hash.digest('hex'))
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Decodes and re-encodes a file. Returns null if the kind does not accept it, or if it was taken down. (M3, M22)
 * @param isKept whether to store the result, for a record that will name it
 * @param by GUID of the user who caused the fetch; null for the service itself
 * @throws Problem `service.busy`
 */
export async function bringFile(
  db: Db,
  {
    kind,
    file,
    digest,
    isKept,
    by,
  }: {
    readonly kind: MediaKind
    readonly file: string
    readonly digest: string
    readonly isKept: boolean
    readonly by: string | null
  },
  { decoder, storage }: Incoming,
): Promise<Brought | null> {
  if ((await stat(file)).size > mediaKinds[kind].maxBytes || (await isBlocked(db, digest))) return null
  const [made, spare] = [`${file}-made`, `${file}-kept`]
  try {
    const decoded = await decoder.decode(kind, file, made, by)
    if ('fault' in decoded) return null
    if (isKept) await storeObject(storage, decoded, made, spare)
    return { kind, digest, decoded }
  } finally {
    await Promise.all([made, spare].map((each) => rm(each, { force: true })))
  }
}

/**
 * Inserts a record for a fetched file, or returns the record that the same file has already. It counts against no
 * quota. (M12, M16)
 * @param by GUID of the user who caused the fetch; null for the service itself
 * @throws Problem `media.blocked`, `service.busy`
 */
export async function findOrInsertMedium(
  tx: Tx,
  { kind, digest, decoded }: Brought,
  {
    name: given,
    by,
    storage,
    now,
  }: { readonly name: string; readonly by: string | null; readonly now: Date } & Pick<Services, 'storage'>,
): Promise<Medium> {
  await lockUploadForShare(tx, digest)
  const same = await lockBrought(tx, digest, kind)
  if (same !== null) return load(tx, same)
  if (await isBlocked(tx, digest)) throw blockedUpload()
  await lockObjectForShare(tx, decoded.digest)
  // The sweep may have deleted the object in the meantime, if no row had named it for a day.
  if ((await storage.head(objectName(decoded.digest))) === null) {
    throw busy('A picture was being deleted; try again.')
  }
  const name = nameOf(given, null, kind)
  const { digest: made, ...facts } = decoded
  const guid = await insertMedium(tx, {
    kind,
    name,
    ownerGuid: null,
    ...facts,
    digest: Buffer.from(made, 'hex'),
    uploadDigest: Buffer.from(digest, 'hex'),
    createdAt: now,
    updatedAt: now,
  })
  emit(tx, { type: 'media.uploaded', subject: guid, actor: by, after: { kind, name } })
  return load(tx, guid)
}

async function load(tx: Tx, guid: string): Promise<Medium> {
  const medium = await findMedium(tx, guid)
  if (medium === undefined) throw new Error('a medium is gone that was just there')
  return medium
}
