import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extensionOf, type MediaKind, type MediaType, mediaKindNames } from '../../../../core/media.ts'
import type { Effects } from '../../../../core/operation.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Decoded } from '../../../../infra/decoder/requests.ts'
import { storeObject } from '../../../../infra/media/objects/keep.ts'
import { isPlainWebp } from '../../../../infra/media/plain.ts'
import type { Cover } from '../../../../infra/pictures/pictures.ts'
import { noted } from '../../../../infra/storage/noted.ts'
import type { Services } from '../../../../services.ts'
import { digestIn, dropObject } from '../../../media/media/commands/sweeping.ts'
import { checkRoom, quotaOf } from '../../../media/media/rules.ts'
import { changeUsed, lockRoom } from '../../../media/media/store/quotas.ts'
import { rowFault } from '../rules.ts'
import type { Row } from '../store/kind.ts'
import type { ImportWish, PackageSource } from '../types.ts'
import type { ReadRow } from './reading.ts'

/**
 * The media of a package. What a trusted package has of what the service itself writes stays byte for byte; everything
 * else is written anew. (P6)
 */

interface Around {
  readonly source: PackageSource
  readonly isTrusted: boolean
  readonly caller: string
  readonly services: Effects['services']
}

export interface BroughtMedia {
  /** What is different in the row of a medium now, by its GUID; null for a medium that the package has no file of. */
  readonly facts: ReadonlyMap<string, Row | null>
  readonly changed: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Reads and stores the files of media, before anything is written to the database.
 * @throws Problem `package.row`, `service.busy`
 */
export async function bringFiles(rows: readonly ReadRow[], around: Around): Promise<BroughtMedia> {
  const facts = new Map<string, Row | null>()
  const changed: { path: string; why: string }[] = []
  for (const { line, row } of rows) {
    const brought = await bringFile(line, row, around)
    facts.set(String(row.guid), brought)
    if (brought !== null && brought.digest !== row.digest) changed.push({ path: pathOf(row), why: 'encoded anew' })
  }
  return { facts, changed }
}

function pathOf({ digest, type }: Row): string {
  return `media/${digest}.${extensionOf(type as MediaType)}`
}

async function bringFile(line: number, row: Row, around: Around): Promise<Row | null> {
  const { source, caller, services } = around
  const content = source.medium(String(row.digest))
  if (content === null) return null
  const kind = mediaKindNames.find((name) => name === row.kind)
  if (kind === undefined) throw rowFault({ kind: 'media', line, member: 'kind' }, 'is not known here')
  return await withFile(content, services, async (file) => {
    const { size } = await stat(file)
    if (size !== row.bytes) throw rowFault({ kind: 'media', line, member: 'bytes' }, `must be ${size}, as its file has`)
    const [made, spare] = [`${file}-made`, `${file}-kept`]
    const decoded = await services.decoder.decode(kind, file, made, caller)
    if ('fault' in decoded)
      throw rowFault({ kind: 'media', line, member: 'digest' }, `is a file that is ${decoded.fault}`)
    const isKept = around.isTrusted && (await isOurs(kind, row, file, decoded))
    if (isKept) checkFacts(line, row, decoded)
    const stored = isKept ? { bytes: Number(row.bytes), digest: String(row.digest), type: decoded.type } : decoded
    await storeObject(services.storage, stored, isKept ? file : made, spare)
    if (isKept) return row
    const { type, bytes, digest, width, height, isAnimated, durationMs, color } = decoded
    return { ...row, type, bytes, digest, width, height, isAnimated, durationMs, color }
  })
}

/** What the row says of a file that stays as it is. */
function checkFacts(line: number, row: Row, decoded: Decoded): void {
  for (const member of ['type', 'width', 'height', 'isAnimated'] as const) {
    if (row[member] === decoded[member]) continue
    throw rowFault({ kind: 'media', line, member }, `must be ${JSON.stringify(decoded[member])}, as in its file`)
  }
}

/** Whether the file is one that the service itself has written, and has nothing but the picture in it. */
async function isOurs(kind: MediaKind, row: Row, file: string, decoded: Decoded): Promise<boolean> {
  const { digest, type, width, height, isAnimated } = decoded
  if (digest === row.digest) return true
  const isAlike = type === row.type && width === row.width && height === row.height && isAnimated === row.isAnimated
  return isAlike && kind !== 'overlay_video' && kind !== 'overlay_font' && isPlainWebp(await readFile(file))
}

/** Keeps a file of the package on disk while it is used, and deletes it afterwards. */
async function withFile<T>(
  content: AsyncIterable<Uint8Array>,
  { config }: Effects['services'],
  use: (file: string) => Promise<T>,
): Promise<T> {
  const folder = path.join(config.dataDir, 'media', 'incoming')
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const file = path.join(folder, randomUUID())
  try {
    await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o640 }))
    return await use(file)
  } finally {
    await Promise.all(['', '-made', '-kept'].map((end) => rm(file + end, { force: true })))
  }
}

/** A medium as it is stored here; none where the package has no file of it, and none of a badge in a copy. */
export function mediumOf(row: Row, facts: Row | null | undefined, { mode }: Pick<ImportWish, 'mode'>): readonly Row[] {
  const isOfBadge = row.tournamentGuid === null && row.teamGuid === null
  if (facts == null || (isOfBadge && mode === 'copy')) return []
  const { type, bytes, digest, width, height, isAnimated, durationMs, color } = facts
  return [{ ...row, type, bytes, digest, width, height, isAnimated, durationMs, color }]
}

/**
 * Counts media against the quota of the tournament; those of badges against that of their owner, if they have one.
 * @throws Problem `media.quota_exceeded`
 */
export async function countMedia(tx: Tx, media: readonly Row[], { config }: Effects['services']): Promise<void> {
  const rooms = new Map<string, { readonly of: 'tournament' | 'user'; bytes: number; files: number }>()
  for (const { tournamentGuid, ownerGuid, bytes } of media) {
    const of = tournamentGuid === null ? 'user' : 'tournament'
    const guid = tournamentGuid ?? ownerGuid
    if (guid === null) continue
    const room = rooms.get(String(guid)) ?? { of, bytes: 0, files: 0 }
    rooms.set(String(guid), { of, bytes: room.bytes + Number(bytes), files: room.files + 1 })
  }
  for (const [guid, { of, bytes, files }] of [...rooms].toSorted()) {
    const { usedBytes, usedFiles } = await lockRoom(tx, guid)
    checkRoom(quotaOf(of, config.media.quotas), { usedBytes, usedFiles: usedFiles + files - 1 }, bytes)
    await changeUsed(tx, guid, bytes, files)
  }
}

/**
 * The covers of pools, by the GUID of the pool.
 * @throws Problem `package.row`, `service.busy`
 */
export async function readCovers(rows: readonly ReadRow[], around: Around): Promise<ReadonlyMap<string, Cover>> {
  const covers = new Map<string, Cover>()
  for (const { line, row } of rows) {
    const content = around.source.medium(String(row.picture))
    if (content !== null) covers.set(String(row.poolGuid), await readCover(line, row, content, around))
  }
  return covers
}

const maxCoverBytes = 1024 * 1024

async function readCover(
  line: number,
  { mediaType }: Row,
  content: AsyncIterable<Uint8Array>,
  { isTrusted, caller, services }: Around,
): Promise<Cover> {
  const fault = (words: string) => rowFault({ kind: 'poolCovers', line, member: 'picture' }, words)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.byteLength
    if (bytes > maxCoverBytes) throw fault('is too large a picture')
    pieces.push(piece)
  }
  const picture = Buffer.concat(pieces)
  const read = await services.pictures.readCover(`data:${mediaType};base64,${picture.toString('base64')}`, caller)
  if ('fault' in read) throw fault(`is no picture for a cover (${read.fault})`)
  return isTrusted && read.mediaType === mediaType ? { ...read, picture } : read
}

/** Services whose stored files are deleted again by `forget`, except those that a medium names then. */
export function tracked(services: Services): { readonly services: Services; readonly forget: () => Promise<void> } {
  const { storage, names } = noted(services.storage)
  const parts = { database: services.packages, storage: services.storage }
  return {
    services: { ...services, storage },
    async forget() {
      for (const name of names) await dropObject(parts, digestIn(name))
    },
  }
}
