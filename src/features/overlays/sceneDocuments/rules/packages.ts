import { isGuid } from '../../../../core/ids.ts'
import { cleanText, oneLine } from '../../../../core/text.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { type Fault, maxFaults } from '../../../../engine/scenes/soundness.ts'
import { readWritten } from './documents.ts'
import { isRecord } from './form.ts'

/**
 * A package is one JSON file with a scene document and all media that it shows. The file's statements about its assets
 * are not trusted: each asset is decoded and re-encoded like any other upload. (overlays: Operations, package)
 */

export const packageFormat = 'downbeat-overlay'
export const packageVersion = 1
/** Maximum size of the file. */
export const maxPackageBytes = 33_554_432
const maxAssets = 500
const maxNameCharacters = 120

const assetTypes = {
  overlay_image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'],
  overlay_video: ['video/webm', 'video/mp4'],
  overlay_font: ['font/woff2'],
} as const
export type AssetKind = keyof typeof assetTypes

export interface PackageAsset {
  /** GUID of the asset in the document of the package. */
  readonly media: string
  readonly name: string
  readonly kind: AssetKind
  readonly type: string
  readonly bytes: Uint8Array
}

/** `name` is the name of the asset, or its `media` if it has no name; null for a fault of the package itself. */
export interface PackageFault extends Fault {
  readonly name: string | null
}

export type ReadPackage =
  | { readonly ok: true; readonly document: SceneDocument; readonly assets: readonly PackageAsset[] }
  | {
      readonly ok: false
      readonly code: 'scene.version' | 'scene.invalid' | 'package.invalid'
      readonly faults: readonly PackageFault[]
    }

/** Lists every refused asset. If one is refused, the whole package is. */
export function readPackage(given: unknown): ReadPackage {
  if (!isRecord(given) || given.format !== packageFormat)
    return refused([own('', `must be a package of the format ${packageFormat}`)])
  if (given.version !== packageVersion) return refused([own('/version', `must be ${packageVersion}`)])
  const strangers = Object.keys(given).filter((name) => !['format', 'version', 'document', 'assets'].includes(name))
  if (strangers.length > 0)
    return refused(strangers.map((name) => own('', `has the member ${JSON.stringify(name)}, which is not known here`)))
  const judged = readWritten(given.document)
  if (!judged.ok)
    return {
      ...judged,
      faults: judged.faults.map((fault) => ({ ...fault, pointer: `/document${fault.pointer}`, name: null })),
    }
  if (!Array.isArray(given.assets) || given.assets.length > maxAssets)
    return refused([own('/assets', `must be a list of at most ${maxAssets} assets`)])
  const read = given.assets.map((asset: unknown, index) => readAsset(asset, `/assets/${index}`))
  const assets = read.flatMap(({ asset }) => (asset === null ? [] : [asset]))
  const faults = read.flatMap((each) => each.faults)
  if (faults.length === 0) faults.push(...missing(judged.document, assets))
  return faults.length > 0 ? refused(faults) : { ok: true, document: judged.document, assets }
}

/**
 * A package must contain every medium that its document shows, once, and no others: naming a medium of another owner
 * does not show it.
 */
function missing(document: SceneDocument, assets: readonly PackageAsset[]): PackageFault[] {
  const used = new Set(assetsOf(document))
  const given = new Set<string>()
  const faults: PackageFault[] = []
  for (const [index, { media, name }] of assets.entries()) {
    if (given.has(media)) faults.push({ name, pointer: `/assets/${index}/media`, words: 'is there twice' })
    if (!used.has(media))
      faults.push({ name, pointer: `/assets/${index}/media`, words: 'is not shown by the document' })
    given.add(media)
  }
  for (const media of used)
    if (!given.has(media)) faults.push({ name: media, pointer: '/assets', words: `lack the media ${media}` })
  return faults
}

function readAsset(
  given: unknown,
  pointer: string,
): { readonly asset: PackageAsset | null; readonly faults: PackageFault[] } {
  if (!isRecord(given)) return { asset: null, faults: [own(pointer, 'must be an object')] }
  const { media, name, kind, type, data } = given
  const called = nameOf(name) ?? (typeof media === 'string' ? media.slice(0, 60) : null)
  const fault = (member: string, words: string): PackageFault => ({
    name: called,
    pointer: `${pointer}/${member}`,
    words,
  })
  const faults: PackageFault[] = []
  if (typeof media !== 'string' || !isGuid(media)) faults.push(fault('media', 'must be a GUID'))
  if (nameOf(name) === null)
    faults.push(fault('name', 'must be a name of 1 to 120 characters, without folders, controls and markup'))
  const types: readonly string[] | null =
    typeof kind === 'string' && Object.hasOwn(assetTypes, kind) ? assetTypes[kind as AssetKind] : null
  if (types === null) faults.push(fault('kind', `must be one of ${Object.keys(assetTypes).join(', ')}`))
  else if (typeof type !== 'string' || !types.includes(type))
    faults.push(fault('type', `must be one of ${types.join(', ')}`))
  const bytes = typeof data === 'string' ? fromBase64(data) : null
  if (bytes === null) faults.push(fault('data', 'must be base64, and not empty'))
  for (const stranger of Object.keys(given).filter(
    (member) => !['media', 'name', 'kind', 'type', 'data'].includes(member),
  ))
    faults.push(fault(stranger.slice(0, 60), 'is not known here'))
  if (faults.length > 0 || bytes === null) return { asset: null, faults }
  const asset = {
    media: (media as string).toLowerCase(),
    name: name as string,
    kind: kind as AssetKind,
    type: type as string,
    bytes,
  }
  return { asset, faults }
}

function nameOf(name: unknown): string | null {
  if (typeof name !== 'string' || [...name].length > maxNameCharacters || /[/\\<>\n\t]/.test(name)) return null
  const cleaned = cleanText(name)
  return cleaned.ok && cleaned.value === name && name !== '' ? name : null
}

/** Decodes base64 with the alphabet and the padding of RFC 4648, section 4. Accepts only the canonical spelling. */
function fromBase64(data: string): Uint8Array | null {
  if (data === '' || data.length % 4 !== 0) return null
  const bytes = Buffer.from(data, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === data ? bytes : null
}

/**
 * A package is sent in pieces: this head, then for each asset `assetHead`, its bytes in base64 and `assetEnd`, then
 * `packageEnd`.
 */
export function packageHead(document: SceneDocument): string {
  const head = JSON.stringify({ format: packageFormat, version: packageVersion, document })
  return `${head.slice(0, -1)},"assets":[`
}

export function assetHead({ media, name, kind, type }: Omit<PackageAsset, 'bytes'>, index: number): string {
  const head = JSON.stringify({ media, name, kind, type })
  return `${index === 0 ? '' : ','}${head.slice(0, -1)},"data":"`
}

export const assetEnd = '"}'
export const packageEnd = ']}'

/** Names of media may contain characters that names of assets may not. Keeps as much of the name as possible. */
export function packagedName(name: string, kind: AssetKind): string {
  const plain = oneLine(name.replace(/[/\\<>]/g, '_'))
  const cleaned = cleanText([...plain].slice(0, maxNameCharacters).join(''))
  return cleaned.ok ? (nameOf(cleaned.value) ?? kind) : kind
}

/**
 * Returns the size of a package without writing it, so that the media of a package that is too large need not be read.
 */
export function packageBytes(
  documentBytes: number,
  assets: readonly { readonly bytes: number; readonly name: string }[],
): number {
  const ofAssets = assets.reduce(
    (sum, { bytes, name }) => sum + 4 * Math.ceil(bytes / 3) + Buffer.byteLength(JSON.stringify(name)) + 150,
    0,
  )
  return documentBytes + ofAssets + 100
}

function own(pointer: string, words: string): PackageFault {
  return { name: null, pointer, words }
}

function refused(faults: readonly PackageFault[]): ReadPackage {
  return { ok: false, code: 'package.invalid', faults: faults.slice(0, maxFaults) }
}
