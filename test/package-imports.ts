import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { MediaKind } from '../src/core/media.ts'
import { openPackage } from '../src/core/packages/reading.ts'
import type { SigningKey } from '../src/core/packages/signatures.ts'
import { verifyPackage } from '../src/core/packages/verify.ts'
import { importPackage } from '../src/features/packages/packages/commands/importing.ts'
import { tracked } from '../src/features/packages/packages/commands/media.ts'
import { withGuids } from '../src/features/packages/packages/rules.ts'
import type { ImportedPackage, ImportWish, PackageSource } from '../src/features/packages/packages/types.ts'
import type { FileToPack, ManifestFacts } from '../src/infra/packages/packing.ts'
import { objectName } from '../src/infra/storage/storage.ts'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { grantRole, makeTeam, makeTournament } from './make.ts'
import { picture } from './media.ts'
import { blobOf, contentOf, digest, fileOf, linesOf, packed } from './packages.ts'

/** Packages that services have made, changed for tests of imports; and imports without the operation. */

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
  const { services, forget } = tracked(api.app.services)
  const whole: ImportWish = { mode: 'restore', id: null, parts: 'all', ...wish }
  return api.app.database
    .transaction((tx) => importPackage(tx, source, whole, { services, now: new Date() }))
    .finally(forget)
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

/** What a package is made of again, by any key. */
export interface Unpacked {
  readonly files: readonly FileToPack[]
  readonly about: ManifestFacts
}

/** Takes a package apart, with other rows, and counts them. */
export async function unpacked(whole: Uint8Array, forgery: Forgery = {}): Promise<Unpacked> {
  const content = new Map((await contentOf(whole)).map(([at, bytes]) => [at, Buffer.from(bytes)]))
  const {
    format: _format,
    version: _version,
    files: _files,
    ...about
  } = JSON.parse(String(content.get('manifest.json')))
  content.delete('manifest.json')
  content.delete('manifest.jws')
  const counts: Record<string, number> = { ...about.counts }
  for (const [kind, forge] of Object.entries(forgery)) {
    const rows = forge(linesIn(content.get(`data/${kind}.ndjson`)).map((line) => JSON.parse(line)))
    content.set(`data/${kind}.ndjson`, Buffer.from(linesOf(rows)))
    counts[kind] = rows.length
  }
  return { files: [...content].map(([at, bytes]) => fileOf(at, bytes)), about: { ...about, counts } }
}

/**
 * The same package of a tournament with another short id, and other GUIDs throughout.
 * @param changes members of the row of the tournament
 */
export async function renewed(whole: Uint8Array, id: string, changes: Line = {}): Promise<Unpacked> {
  const forgery: Forgery = { tournament: (rows) => rows.map((row) => ({ ...row, ...changes, id })) }
  const { files, about } = await unpacked(whole, forgery)
  const guids = new Map<string, string>()
  const renew = (text: string) =>
    withGuids(text, (guid) => {
      const own = guids.get(guid) ?? randomUUID()
      guids.set(guid, own)
      return own
    })
  const others = await Promise.all(
    files.map(async ({ path: at, read }) => {
      const pieces: Uint8Array[] = []
      for await (const piece of read?.() ?? []) pieces.push(piece)
      const content = Buffer.concat(pieces)
      return fileOf(at, at.startsWith('data/') ? renew(content.toString()) : content)
    }),
  )
  const tournament = { ...about.tournament, guid: renew(about.tournament.guid), id }
  return { files: others, about: { ...about, tournament } }
}

export const signedBy = (key: SigningKey, { files, about }: Unpacked): Promise<Buffer> => packed(key, files, about)

export interface SmallWorld {
  /** In full, signed by the service that made it. */
  readonly whole: Buffer
  /** What that service signs with. */
  readonly key: SigningKey
  /** GUIDs of the two teams; Clef is the captain of the first one, Breve of the second. */
  readonly teams: readonly [string, string]
}

/**
 * The package of a tournament of another service: an organiser, Cantor, and two teams of one player each.
 * @param clef the chat ID of Clef
 */
export async function smallPackage({ clef }: { readonly clef?: string } = {}): Promise<SmallWorld> {
  await using origin = await startHarness()
  const organiser = await origin.user({ name: 'Cantor' })
  const captains = [
    await origin.user({ name: 'Clef', ...(clef !== undefined && { chatPlatformId: clef }) }),
    await origin.user({ name: 'Breve' }),
  ] as const
  const tournament = await makeTournament(origin, organiser, { id: 'cup', name: 'Cup' })
  await grantRole(origin, tournament, captains[1], 'role:caster')
  const first = await makeTeam(origin, tournament, captains[0])
  const second = await makeTeam(origin, tournament, captains[1])
  const whole = await takePackage(origin, tournament.guid, organiser)
  const key = await origin.app.services.keys.packages.current(new Date())
  return { whole, key, teams: [first.guid, second.guid] }
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

/** How many lines two kinds have, and how many bytes a medium has that is read twice. */
export async function readTwice(source: PackageSource, kinds: readonly [string, string], sha256: string) {
  const lines = async (kind: string) => {
    let last = 0
    for await (const { line } of source.rows(kind)) last = line
    return last
  }
  const bytes = async () => {
    let sum = 0
    for await (const piece of source.medium(sha256) ?? []) sum += piece.byteLength
    return sum
  }
  return [await lines(kinds[0]), await lines(kinds[0]), await lines(kinds[1]), await bytes(), await bytes()]
}
