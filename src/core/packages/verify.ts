import { invalid } from '../problem.ts'
import { maxLineBytes, maxRows } from './limits.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { isOfManifest, kindOf, manifestPath, signaturePath } from './paths.ts'
import { openPackage, type PackedFile, tooLarge } from './reading.ts'
import { type KnownKey, type Signer, signerOf } from './signatures.ts'

/** Whether a package is whole: that it has the files that its manifest lists, byte for byte, and who signed that. (P2, P6) */

const mib = 1024 * 1024
const maxManifestBytes = 16 * mib
const maxDepth = 64

/** A digest that takes its text piece by piece. */
export interface Digest {
  update(piece: Uint8Array): void
  /** In hex. */
  end(): Promise<string>
}

export interface Verified {
  readonly manifest: Manifest
  readonly signer: Signer
  /** The files by their paths. Reading one unpacks it again. */
  readonly files: ReadonlyMap<string, PackedFile>
}

/**
 * @throws Problem `package.unreadable` `package.path` `package.content` `package.signature` `package.version`
 *   `package.row` `package.too_large`
 */
export async function verifyPackage(source: Blob, known: readonly KnownKey[], sha256: () => Digest): Promise<Verified> {
  const files = await openPackage(source)
  const packed = files.get(manifestPath)
  if (packed === undefined) throw lacking(manifestPath)
  const bytes = await wholeOf(packed)
  const jws = files.get(signaturePath)
  const signature = jws && new TextDecoder().decode(await wholeOf(jws))
  const manifest = await readManifest(new TextDecoder().decode(bytes))
  const signer = await signerOf(bytes, signature, known)
  await compare(manifest, files, sha256)
  return { manifest, signer, files }
}

async function wholeOf({ path, bytes, read }: PackedFile): Promise<Uint8Array> {
  if (bytes > maxManifestBytes) throw tooLarge(`has a larger ${path}`, maxManifestBytes, 'bytes')
  const whole = new Uint8Array(bytes)
  let at = 0
  for await (const piece of read()) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

async function compare(
  manifest: Manifest,
  files: ReadonlyMap<string, PackedFile>,
  sha256: () => Digest,
): Promise<void> {
  const listed = new Map(manifest.files.map((file) => [file.path, file]))
  if (listed.size < manifest.files.length) throw invalid('package.content', 'The manifest lists a file twice.')
  for (const path of files.keys()) {
    if (!listed.has(path) && !isOfManifest(path)) {
      throw invalid('package.content', `The manifest does not list ${path}.`, { path })
    }
  }
  const rows = new Rows()
  for (const { path, bytes, sha256: expected, omitted } of manifest.files) {
    const file = files.get(path)
    if (omitted && file === undefined) continue
    if (file === undefined || omitted || isOfManifest(path)) throw lacking(path)
    const digest = sha256()
    const kind = kindOf(path)
    const count = kind === null ? null : rows.of(path)
    for await (const piece of file.read()) {
      digest.update(piece)
      count?.take(piece)
    }
    if (file.bytes !== bytes || (await digest.end()) !== expected) {
      throw invalid('package.content', `${path} is not the file that the manifest lists.`, { path })
    }
    const found = count?.end() ?? 0
    if (kind !== null && found !== (manifest.counts[kind] ?? 0)) {
      throw invalid('package.content', `${path} has ${found} rows; the manifest counts others.`, { path })
    }
  }
  const without = Object.entries(manifest.counts).find(
    ([kind, count]) => count > 0 && !listed.has(`data/${kind}.ndjson`),
  )
  if (without !== undefined) throw lacking(`data/${without[0]}.ndjson`)
}

const lacking = (path: string) => invalid('package.content', `The package lacks ${path}.`, { path })

/** Counts the rows of all files, and checks that each is an object of JSON within its bounds. */
class Rows {
  #count = 0

  of(path: string) {
    let [line, lines] = ['', 0]
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const judge = (row: string) => {
      lines++
      if (++this.#count > maxRows) throw tooLarge('has more rows', maxRows, 'rows')
      if (bytesOf(row) > maxLineBytes) throw tooLarge(`has a longer line (${path}:${lines})`, maxLineBytes, 'bytes')
      const fault = rowFault(row)
      if (fault !== null) throw invalid('package.row', `${path}, line ${lines}: ${fault}.`, { path, line: lines })
    }
    const take = (more: string) => {
      const [first = '', ...others] = more.split('\n')
      line += first
      for (const other of others) {
        judge(line)
        line = other
      }
      if (line.length > maxLineBytes) judge(line)
    }
    const decoded = (piece?: Uint8Array) => {
      try {
        return text.decode(piece, { stream: piece !== undefined })
      } catch {
        throw invalid('package.row', `${path} is not UTF-8.`, { path, line: lines + 1 })
      }
    }
    return {
      take: (piece: Uint8Array) => take(decoded(piece)),
      end() {
        take(decoded())
        if (line !== '')
          throw invalid('package.row', `${path} has no line break at its end.`, { path, line: lines + 1 })
        return lines
      },
    }
  }
}

function bytesOf(text: string): number {
  const mostPerUnit = 3
  return text.length * mostPerUnit <= maxLineBytes ? text.length : new TextEncoder().encode(text).byteLength
}

function rowFault(row: string): string | null {
  if (depthOf(row) > maxDepth) return `nested deeper than ${maxDepth} levels`
  try {
    const value: unknown = JSON.parse(row)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'not an object'
  } catch {
    return 'not JSON'
  }
}

/** How deep brackets are nested, outside of texts. */
function depthOf(row: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < row.length; at++) {
    const character = row[at]
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}
