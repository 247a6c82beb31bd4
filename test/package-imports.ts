import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { MediaKind } from '../src/core/media.ts'
import { openPackage } from '../src/core/packages/reading.ts'
import { verifyPackage } from '../src/core/packages/verify.ts'
import { importPackage } from '../src/features/packages/packages/commands/importing.ts'
import type { ImportedPackage, ImportWish, PackageSource } from '../src/features/packages/packages/types.ts'
import { objectName } from '../src/infra/storage/storage.ts'
import type { Caller, Harness } from './harness.ts'
import { picture } from './media.ts'
import { blobOf, digest, linesOf } from './packages.ts'

/** Imports of packages, without the operation. */

type Line = Record<string, unknown>
/** Changes what a package says: the rows of a kind, before they are read. */
export type Forgery = Readonly<Record<string, (rows: Line[]) => readonly Line[]>>

export async function sourceOf(bytes: Uint8Array, forgery: Forgery = {}): Promise<PackageSource> {
  const { manifest } = await verifyPackage(blobOf(bytes), [], digest)
  const files = await openPackage(blobOf(bytes))
  const texts = new Map<string, Buffer>()
  for (const file of files.values()) {
    const pieces: Uint8Array[] = []
    for await (const piece of file.read()) pieces.push(piece)
    texts.set(file.path, Buffer.concat(pieces))
  }
  for (const [kind, forge] of Object.entries(forgery)) {
    const rows = linesIn(texts.get(`data/${kind}.ndjson`)).map((line) => JSON.parse(line))
    texts.set(`data/${kind}.ndjson`, Buffer.from(linesOf(forge(rows))))
  }
  const media = new Map([...texts].map(([at, content]) => [/^media\/([0-9a-f]{64})/.exec(at)?.[1] ?? at, content]))
  return {
    manifest,
    signer: 'known',
    skipped: [],
    async *rows(kind) {
      for (const [at, line] of linesIn(texts.get(`data/${kind}.ndjson`)).entries()) {
        yield { line: at + 1, row: JSON.parse(line) }
      }
    },
    medium(sha256) {
      const content = media.get(sha256)
      return content === undefined ? null : piecesOf(content)
    },
  }
}

function linesIn(content: Buffer | undefined): string[] {
  return content?.toString().split('\n').slice(0, -1) ?? []
}

async function* piecesOf(content: Buffer) {
  yield content
}

export async function importInto(
  api: Harness,
  source: PackageSource,
  wish: Partial<ImportWish> & Pick<ImportWish, 'caller'>,
): Promise<ImportedPackage> {
  const { services } = api.app
  const whole: ImportWish = { mode: 'restore', id: null, parts: 'all', ...wish }
  return api.app.database.transaction((tx) => importPackage(tx, source, whole, { services, now: new Date() }))
}

export async function takePackage(
  api: Harness,
  tournament: string,
  as: Caller,
  query = 'variant=full&include=private',
): Promise<Buffer> {
  const reply = await fetch(`${api.url}/api/tournaments/${tournament}/package?${query}`, {
    headers: { authorization: `Bearer ${as.token}` },
  })
  if (reply.status !== 200) throw new Error(await reply.text())
  return Buffer.from(await reply.arrayBuffer())
}

/** Gives the media and covers of a service files that it has written itself. */
export async function giveRealFiles(api: Harness): Promise<void> {
  const { decoder, pictures, storage } = api.app.services
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-real-'))
  try {
    const rows = await api.sql<{ guid: string; kind: MediaKind }>('select guid, kind from media')
    for (const { guid, kind } of rows) {
      const [given, made] = [path.join(folder, randomUUID()), path.join(folder, randomUUID())]
      const side = 256 + (Number.parseInt(guid.slice(0, 2), 16) % 64)
      const size = kind === 'tournament_banner' ? { width: 1200, height: 400 } : { width: side, height: side }
      await writeFile(given, await picture(size))
      const decoded = await decoder.decode(kind, given, made, null)
      if ('fault' in decoded) throw new Error(`${kind}: ${decoded.fault}`)
      const { type, bytes, digest: sha256, width, height, isAnimated, color } = decoded
      await storage.put(objectName(sha256), made, { bytes, digest: sha256, headers: {} })
      await api.sql(
        `update media set type = $2, bytes = $3, digest = $4, width = $5, height = $6, is_animated = $7, color = $8
         where guid = $1`,
        [guid, type, bytes, Buffer.from(sha256, 'hex'), width, height, isAnimated, color],
      )
    }
    await api.sql(`update badges set image_url = $1 || '/media/' || media_guid || '/full.webp'`, [
      api.app.config.media.url,
    ])
    const png = await picture({ width: 128, height: 128 })
    const cover = await pictures.readCover(`data:image/png;base64,${png.toString('base64')}`, randomUUID())
    if ('fault' in cover) throw new Error(cover.fault)
    const hash = createHash('sha256').update(cover.picture).digest('base64url').slice(0, 16)
    await api.sql('update pool_covers set media_type = $1, picture = $2, small = $3', [
      ...[cover.mediaType, cover.picture, cover.small],
    ])
    await api.sql('update pools set cover_hash = $1 where guid in (select pool_guid from pool_covers)', [hash])
  } finally {
    await rm(folder, { recursive: true })
  }
}
