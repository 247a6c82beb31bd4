import { createHash } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } from '@zip.js/zip.js'
import { canonicalJson } from '../src/core/canonical-json.ts'
import { openPackage } from '../src/core/packages/reading.ts'
import type { SigningKey } from '../src/core/packages/signatures.ts'
import { type FileToPack, type ManifestFacts, pack } from '../src/infra/packages/packing.ts'
import { objectName } from '../src/infra/storage/storage.ts'
import type { Harness } from './harness.ts'

/** Packages of a small tournament, for tests of what reads them. */

export { sha256Digest as digest } from '../src/infra/packages/digest.ts'

export function fileOf(at: string, content: string | Uint8Array): FileToPack & { readonly content: Buffer } {
  const whole = Buffer.from(content as Uint8Array)
  return {
    ...{ path: at, bytes: whole.byteLength, sha256: createHash('sha256').update(whole).digest('hex'), content: whole },
    async *read() {
      for (let from = 0; from < whole.byteLength; from += 65_536) yield whole.subarray(from, from + 65_536)
    },
  }
}

export const linesOf = (rows: readonly unknown[]) => rows.map((row) => `${canonicalJson(row)}\n`).join('')

const teams = Array.from({ length: 300 }, (_, at) => ({
  guid: `team-${String(at).padStart(3, '0')}`,
  name: `Équipe ${at}`,
}))

export const smallFiles = [
  fileOf('README.txt', 'A tournament.\n'),
  fileOf('data/teams.ndjson', linesOf(teams)),
  fileOf('data/tournament.ndjson', linesOf([{ guid: 'tournament', name: 'Cup' }])),
  fileOf(
    `media/${'a'.repeat(64)}.webp`,
    Uint8Array.from({ length: 70_000 }, (_, at) => at % 251),
  ),
]

export const facts: ManifestFacts = {
  ...{ variant: 'full', private: false, stateAt: '2026-05-01T12:00:00.000Z' },
  service: { name: 'Downbeat', url: 'https://cup.example', release: '0.1.0' },
  tournament: { guid: 'tournament', id: 'cup', name: 'Cup' },
  counts: { teams: teams.length, tournament: 1 },
}

export async function packed(
  key: SigningKey,
  files: readonly FileToPack[] = smallFiles,
  about: ManifestFacts = facts,
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-package-'))
  try {
    const name = path.join(folder, 'cup.zip')
    await using file = await open(name, 'wx')
    const bytes = await pack(file, about, files, key)
    const whole = await readFile(name)
    if (whole.byteLength !== bytes) throw new Error('The package has another size than was said.')
    return whole
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface ZipShape {
  readonly level?: number
  readonly dataDescriptor?: boolean
  readonly password?: string
  readonly externalFileAttributes?: number
  readonly prependedData?: boolean
  readonly zip64?: boolean
}

/** A zip file of another tool. */
export async function zipped(
  content: readonly (readonly [string, string | Uint8Array])[],
  shape: ZipShape = {},
): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, file] of content) {
    await zip.add(name, typeof file === 'string' ? new TextReader(file) : new Uint8ArrayReader(file), { ...shape })
  }
  return zip.close()
}

/** The files of a package by their paths, in their order. */
export async function contentOf(bytes: Uint8Array): Promise<[string, Uint8Array][]> {
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
  const found: [string, Uint8Array][] = []
  for (const entry of await zip.getEntries()) {
    if (!entry.directory) found.push([entry.filename, await entry.getData(new Uint8ArrayWriter())])
  }
  return found
}

/** A package that was changed by another tool, with the signature that it had. */
export async function changedPackage(
  whole: Uint8Array,
  change: (content: Record<string, Uint8Array | string>) => void,
): Promise<Uint8Array> {
  const content: Record<string, Uint8Array | string> = Object.fromEntries(await contentOf(whole))
  change(content)
  return zipped(Object.entries(content))
}

/** Two entries of one name, which no tool writes. */
export async function withDoubledName(whole: Uint8Array): Promise<Buffer> {
  const doubled = await zipped([...(await contentOf(whole)), ['readme.TXT', 'Another text.']])
  return Buffer.from(Buffer.from(doubled).toString('latin1').replaceAll('readme.TXT', 'README.txt'), 'latin1')
}

export const linkAttributes = (0o120777 << 16) >>> 0

export const blobOf = (bytes: Uint8Array) => new Blob([Buffer.from(bytes)])

/** The texts of the files of a package that is whole, by their paths. */
export async function textsOf(whole: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const files = await openPackage(blobOf(whole))
  const texts = new Map<string, string>()
  for (const { path: at, read } of files.values()) {
    const pieces: Uint8Array[] = []
    for await (const piece of read()) pieces.push(piece)
    texts.set(at, Buffer.concat(pieces).toString('utf8'))
  }
  return texts
}

/** The rows of a kind in a package. */
// biome-ignore lint/suspicious/noExplicitAny: rows have every form, and a test that reads what is not there fails.
export function rowsIn(texts: ReadonlyMap<string, string>, kind: string): any[] {
  const lines = texts.get(`data/${kind}.ndjson`)?.trimEnd().split('\n') ?? []
  return lines.map((line) => JSON.parse(line))
}

/** Files for media rows that were made without any, by their contents. */
export async function giveFiles({ app, sql }: Pick<Harness, 'app' | 'sql'>, contents: readonly string[]) {
  for (const content of contents) {
    const sha256 = createHash('sha256').update(content).digest('hex')
    const bytes = Buffer.byteLength(content)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-medium-'))
    const file = path.join(folder, 'medium')
    await writeFile(file, content)
    await app.services.storage.put(objectName(sha256), file, { bytes, digest: sha256, headers: {} })
    await rm(folder, { recursive: true })
    await sql('update media set bytes = $1 where digest = $2', [bytes, Buffer.from(sha256, 'hex')])
  }
}
