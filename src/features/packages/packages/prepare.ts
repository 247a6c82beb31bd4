import { openAsBlob } from 'node:fs'
import type { SignedIn } from '../../../core/actor.ts'
import type { Manifest } from '../../../core/packages/manifest.ts'
import { isMedia, kindOf } from '../../../core/packages/paths.ts'
import type { PackedFile } from '../../../core/packages/reading.ts'
import { rowsOf } from '../../../core/packages/rows.ts'
import { knownFrom, type Signer } from '../../../core/packages/signatures.ts'
import { verifyPackage } from '../../../core/packages/verify.ts'
import type { SentUpload, StoredUpload } from '../../../core/uploads.ts'
import { sha256Digest } from '../../../infra/packages/digest.ts'
import { readSigners } from '../../../infra/packages/signers.ts'
import type { Services } from '../../../services.ts'
import { kinds } from './store/kinds.ts'
import type { PackageSource, Skipped } from './types.ts'

/** A package that is whole, and who signed it. */
export interface CheckedPackage {
  readonly source: PackageSource
  readonly signer: Signer
}

/**
 * Checks a package that was sent. Only pieces of it are in memory. (P6)
 * @throws Problem `package.unreadable` `package.path` `package.content` `package.signature` `package.version`
 *   `package.row` `package.too_large`
 */
export async function checkPackage(
  { path }: Pick<StoredUpload, 'path'>,
  { config, keys }: Pick<Services, 'config' | 'keys'>,
  now: Date,
): Promise<CheckedPackage> {
  const own = knownFrom(await keys.packages.list(now), new URL(config.publicUrl).host)
  const known = [...own, ...(await readSigners(config.packageSigners))]
  const { manifest, signer, files } = await verifyPackage(await openAsBlob(path), known, sha256Digest)
  return { signer, source: sourceOf(manifest, signer, files) }
}

/** A package that was sent. */
export interface SentPackage {
  readonly checked: CheckedPackage
  readonly upload: SentUpload
}

/**
 * Holds one of the places for imports until the request has ended, and checks a package that was sent. (P6)
 * @throws Problem `import.running`, `service.busy`, and those of `checkPackage`
 */
export async function receivePackage(
  upload: SentUpload,
  { guid }: Pick<SignedIn, 'guid'>,
  services: Pick<Services, 'config' | 'keys' | 'packages'>,
  now: Date,
): Promise<SentPackage> {
  upload.atEnd(services.packages.imports.enter(guid))
  return { checked: await checkPackage(upload, services, now), upload }
}

function sourceOf(manifest: Manifest, signer: Signer, files: ReadonlyMap<string, PackedFile>): PackageSource {
  const media = new Map(manifest.files.flatMap(({ path, sha256 }) => (isMedia(path) ? [[sha256, path]] : [])))
  return {
    manifest,
    signer: signer.state,
    rows(kind) {
      const file = files.get(`data/${kind}.ndjson`)
      return file === undefined ? noRows() : rowsOf(file)
    },
    medium(sha256) {
      const file = files.get(media.get(sha256) ?? '')
      return file === undefined ? null : file.read()
    },
    skipped: skippedOf(manifest),
  }
}

async function* noRows(): AsyncGenerator<never> {}

const knownKinds: ReadonlySet<string> = new Set(kinds.map(({ name }) => name))

/** Files of data that a later release may know. (P6) */
function skippedOf({ files, counts }: Manifest): readonly Skipped[] {
  return files.flatMap(({ path }) => {
    const kind = kindOf(path)
    if (!path.startsWith('data/') || (kind !== null && knownKinds.has(kind))) return []
    return [{ path, member: null, rows: kind === null ? 0 : (counts[kind] ?? 0) }]
  })
}
