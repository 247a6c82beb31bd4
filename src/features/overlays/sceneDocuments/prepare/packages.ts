import type { SignedIn } from '../../../../core/actor.ts'
import { mediaKinds } from '../../../../core/media.ts'
import { busy, invalid, Problem } from '../../../../core/problem.ts'
import type { StoredUpload } from '../../../../core/uploads.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { maxFaults } from '../../../../engine/scenes/soundness.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Task } from '../../../../infra/threads/threads.ts'
import type { Services } from '../../../../services.ts'
import { decodeAndStoreUpload, type Kept } from '../../../media/media/prepare.ts'
import { missingField, needsRights } from '../../../media/media/rules.ts'
import type { Target } from '../../../media/media/types.ts'
import type { AssetKind, PackageFault } from '../rules/packages.ts'
import { listOverlayMedia } from '../store/media.ts'
import { type Unpacked, type UnpackedAsset, type Unpacking, unpack } from './unpacking.ts'

/**
 * Steps before the transaction that takes a package: reads the package, and stores its assets like uploads of their
 * kind.
 */

export interface PreparedAsset {
  /** GUID of the asset in the document of the package. */
  readonly media: string
  readonly name: string
  readonly target: Target
  readonly upload: StoredUpload
  /** `own`: the same medium of the tournament exists already. */
  readonly kept: Kept | { readonly own: string }
}

export interface PreparedPackage {
  readonly document: SceneDocument
  readonly assets: readonly PreparedAsset[]
  readonly hasRightsConfirmed: boolean
}

interface Taking {
  readonly actor: SignedIn
  readonly tournamentGuid: string
  readonly upload: StoredUpload
  /** The member of the body that contains the package; null if the body is the package. */
  readonly member: string | null
  readonly services: Services
}

/** Bodies up to this number of bytes are read here, because starting a thread would take longer. */
const maxHere = 64 * 1024
const unpacker: Task = { module: new URL('./unpacking.ts', import.meta.url), name: 'unpack' }
/**
 * Maximum time to read a package, in milliseconds, because its sender waits. A larger package must be sent in parts.
 */
const patienceMs = 120_000

/**
 * Returns the package in a body; null if there is none. If the package is refused later, its objects have no row, and
 * the sweep deletes them, as for refused uploads.
 * @param rightsOf receives the rest of the body, and returns whether the rights to videos and fonts are confirmed;
 *   called before anything is stored
 * @throws Problem `request.malformed`, `package.invalid`, `scene.invalid`, `scene.version`, `media.field_missing`,
 *   `media.quota_exceeded`, `service.busy`
 */
export async function preparePackage(
  db: Db,
  taking: Taking,
  rightsOf: (rest: Readonly<Record<string, unknown>>, hasPackage: boolean) => boolean,
): Promise<PreparedPackage | null> {
  const { upload, member, services } = taking
  const work: Unpacking = { file: upload.path, prefix: upload.beside('asset'), member }
  const read = upload.bytes <= maxHere ? unpack(work) : await services.threads.run<Unpacking, Unpacked>(unpacker, work)
  if ('reason' in read) throw invalid('request.malformed', `The body ${read.reason}.`)
  if (!read.ok) throw refusedPackage(read.code, read.faults)
  const hasRightsConfirmed = rightsOf(read.rest, read.package !== null)
  if (read.package === null) return null
  const { document, assets } = read.package
  // Registers the files of the assets, so that they are always deleted with the upload.
  for (const index of assets.keys()) upload.beside(`asset${index}`)
  const prepared = await prepareAssets(db, taking, assets, hasRightsConfirmed)
  return { document, assets: prepared, hasRightsConfirmed }
}

/** Lists every refused asset: continues with the others after a refusal. */
async function prepareAssets(
  db: Db,
  taking: Taking,
  assets: readonly UnpackedAsset[],
  hasRightsConfirmed: boolean,
): Promise<readonly PreparedAsset[]> {
  const media = assets.map((asset) => asset.media)
  const own = new Map((await listOverlayMedia(db, taking.tournamentGuid, media)).map((row) => [row.guid, row]))
  const prepared: PreparedAsset[] = []
  const faults: PackageFault[] = []
  const until = performance.now() + patienceMs
  for (const [index, asset] of assets.entries()) {
    const known = own.get(asset.media)
    const isOwn = known !== undefined && known.kind === asset.kind && known.digest.toString('hex') === asset.digest
    if (!isOwn && needsRights(asset.kind) && !hasRightsConfirmed)
      throw missingField('rightsConfirmed', 'say that you may use the videos and fonts, and have others see them here')
    if (performance.now() > until) throw late()
    const kept = isOwn ? { own: asset.media } : await prepareAsset(db, taking, asset, index)
    if ('words' in kept) faults.push({ name: asset.name, pointer: `/assets/${index}/data`, words: kept.words })
    else prepared.push({ ...placed(taking, asset, index), kept })
  }
  if (faults.length > 0) throw refusedPackage('package.invalid', faults.slice(0, maxFaults))
  return prepared
}

async function prepareAsset(
  db: Db,
  taking: Taking,
  asset: UnpackedAsset,
  index: number,
): Promise<Kept | { readonly words: string }> {
  const { maxBytes } = mediaKinds[asset.kind]
  if (asset.bytes > maxBytes) return { words: `may have at most ${maxBytes} bytes` }
  const { target, upload } = placed(taking, asset, index)
  try {
    return await decodeAndStoreUpload(db, taking.actor, target, upload, taking.services)
  } catch (error) {
    const isRefused = error instanceof Problem && (error.kind === 'invalid' || error.kind === 'unsupported_type')
    if (!isRefused) throw error
    return { words: `is refused: ${error.message}` }
  }
}

/** Describes an asset as if it were a single upload. */
function placed({ upload, tournamentGuid }: Taking, asset: UnpackedAsset, index: number) {
  const { media, name, path, bytes, digest } = asset
  const target = targetOf(asset.kind, tournamentGuid)
  const beside = (file: string) => upload.beside(`asset${index}-${file}`)
  return { media, name, target, upload: { name, path, bytes, digest, beside } }
}

function targetOf(kind: AssetKind, tournamentGuid: string): Target {
  return { kind, tournamentGuid, teamGuid: null, platformGuid: null }
}

function refusedPackage(code: string, faults: readonly PackageFault[]): Problem {
  const [first] = faults
  const others = faults.length > 1 ? ` There are ${faults.length - 1} more.` : ''
  const named = first?.name == null ? '' : ` (${first.name})`
  return invalid(code, `The package's ${first?.pointer || 'file'}${named} ${first?.words}.${others}`, { faults })
}

function late(): Problem {
  return busy('The package takes too long to read; send it again, or with fewer assets.')
}
