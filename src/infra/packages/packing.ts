import type { FileHandle } from 'node:fs/promises'
import { canonicalJson } from '../../core/canonical-json.ts'
import { type Manifest, packageFormat, packageVersion } from '../../core/packages/manifest.ts'
import { byPath, manifestPath, signaturePath } from '../../core/packages/paths.ts'
import { type SigningKey, sign } from '../../core/packages/signatures.ts'
import { ZipFile } from './writing.ts'

/** Makes a package of files whose digests are known: what the manifest lists is written after it. (P1) */

export interface FileToPack {
  readonly path: string
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
  /** The content; null for a file that is listed, and left out. */
  readonly read: (() => AsyncIterable<Uint8Array>) | null
}

export type ManifestFacts = Omit<Manifest, 'format' | 'version' | 'files'>

/** @returns the size of the package in bytes */
export async function pack(
  file: FileHandle,
  facts: ManifestFacts,
  files: readonly FileToPack[],
  key: SigningKey,
): Promise<number> {
  const sorted = files.toSorted((one, other) => byPath(one.path, other.path))
  const manifest: Manifest = {
    ...{ format: packageFormat, version: packageVersion },
    ...facts,
    files: sorted.map(({ path, bytes, sha256, read }) => ({
      ...{ path, bytes, sha256 },
      ...(read === null && { omitted: true }),
    })),
  }
  const text = Buffer.from(canonicalJson(manifest))
  const zip = new ZipFile(file)
  await zip.add(manifestPath, only(text))
  await zip.add(signaturePath, only(Buffer.from(await sign(text, key))))
  for (const { path, read } of sorted) if (read !== null) await zip.add(path, read())
  return zip.end()
}

async function* only(bytes: Uint8Array) {
  yield bytes
}
