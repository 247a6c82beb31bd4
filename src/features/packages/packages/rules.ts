import { shortIdFault } from '../../../core/ids.ts'
import { maxFiles, maxLineBytes, maxPackageBytes, maxRows, maxUnpackedBytes } from '../../../core/packages/limits.ts'
import { type ListedFile, type Manifest, packageVersion } from '../../../core/packages/manifest.ts'
import { kindOf } from '../../../core/packages/paths.ts'
import { conflict, forbidden, invalid, Problem } from '../../../core/problem.ts'
import type { UploadTerms } from '../../../core/uploads.ts'
import type { ImportBody } from './bodies.ts'
import type { ImportWish, SignerState, Skipped, Variant } from './types.ts'

/**
 * What is private is in full packages alone. (P3)
 * @throws Problem `request.invalid`
 */
export function checkIncluded(variant: Variant, include: 'private' | undefined): void {
  if (include === undefined || variant === 'full') return
  throw invalid('request.invalid', '`include` is for the variant `full` alone.')
}

/** What may be imported again is exported, and nothing larger. (P6) */

/** @throws Problem `package.too_large` */
export function checkRow(bytes: number, rowsSoFar: number): void {
  if (rowsSoFar > maxRows) throw tooLarge('more rows', maxRows)
  if (bytes > maxLineBytes) throw tooLarge('a larger row', maxLineBytes)
}

/** @throws Problem `package.too_large` */
export function checkFiles(files: readonly Pick<ListedFile, 'bytes'>[]): void {
  if (files.length > maxFiles) throw tooLarge('more files', maxFiles)
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > maxUnpackedBytes)
    throw tooLarge('more bytes', maxUnpackedBytes)
}

/** @throws Problem `package.too_large` */
export function checkPackage(bytes: number): void {
  if (bytes > maxPackageBytes) throw tooLarge('more bytes', maxPackageBytes)
}

const tooLarge = (what: string, limit: number) =>
  conflict('package.too_large', `The package would have ${what} than may be imported again (${limit}).`)

const instants = ['createdAt', 'updatedAt', 'at']

/** The newest instant at which a row says that it changed. (P2) */
export function newestOf(row: Readonly<Record<string, unknown>>, before: string | null): string | null {
  const told = instants.flatMap((name) => (typeof row[name] === 'string' ? [row[name]] : []))
  return [...(before === null ? [] : [before]), ...told].toSorted().at(-1) ?? null
}

const guids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** A text with its GUIDs replaced, wherever they are in it: alone, in an address, in JSON. */
export function withGuids(text: string, replaced: (guid: string) => string): string {
  return text.length < guidLength ? text : text.replace(guids, (guid) => replaced(guid.toLowerCase()))
}

const guidLength = 36

/** What a row says that cannot be imported. */
export function rowFault(
  place: { readonly kind: string; readonly line: number | null; readonly member: string | null },
  words: string,
): Problem {
  const path = `data/${place.kind}.ndjson`
  const at = [path, ...(place.line === null ? [] : [`line ${place.line}`])].join(', ')
  const named = place.member === null ? '' : `"${place.member}" `
  const data = { path, line: place.line, member: place.member }
  return invalid('package.row', `${at}: ${named}${words}.`, data)
}

const inSetup: ReadonlySet<string> = new Set([
  ...[
    'tournament',
    'timeline',
    'media',
    'maps',
    'flairs',
    'pools',
    'poolCovers',
    'poolMaps',
    'poolingSettings',
    'poolPlan',
  ],
  ...['flows', 'flowPlan', 'overlays', 'overlayVersions', 'overlayParts', 'channels', 'channelList'],
])
/** Rights, what happened elsewhere, and badges, which only some may make: a copy brings none of these. */
const notCopied: ReadonlySet<string> = new Set([
  'roles',
  'overlayEditors',
  'audit',
  'badges',
  'badgeGrants',
  'placements',
])

/** Whether an import takes the rows of a kind. A copy gives no rights; a setup is what can be there before anybody signs up. (P6) */
export function takes(
  kind: string,
  { mode, parts, isRehearsal }: { readonly mode: string; readonly parts: string; readonly isRehearsal?: boolean },
): boolean {
  if (parts === 'setup' && !inSetup.has(kind)) return false
  // Its people have no accounts, so the roles give no rights. (R1)
  if (isRehearsal === true && kind === 'roles') return true
  return mode === 'restore' || !notCopied.has(kind)
}

/**
 * Who is named where a package does not say who did something: the caller, or in a rehearsal, where the caller is not, the organiser of the
 * package. (P6, R1)
 * @param organiser GUID of the organiser here, where the package has that person
 * @throws Problem `package.row`
 */
export function doerOf(
  { caller, isRehearsal }: Pick<ImportWish, 'caller' | 'isRehearsal'>,
  organiser: string | undefined,
): string {
  if (isRehearsal !== true) return caller
  if (organiser !== undefined) return organiser
  const place = { kind: 'tournament', line: null, member: 'organiserGuid' }
  throw rowFault(place, 'leads to no row of data/people.ndjson')
}

/** A newer minor version may have added members to its rows. (P6) */
export function isOlder({ version }: Pick<Manifest, 'version'>): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = packageVersion.split('.').map(Number)
  return major < ownMajor || (major === ownMajor && minor < ownMinor)
}

/** Whether the rows of a package have all members that this release knows. (P6) */
export function hasAllMembers(manifest: Pick<Manifest, 'variant' | 'version'>): boolean {
  return manifest.variant === 'full' && !isOlder(manifest)
}

type Row = Readonly<Record<string, unknown>>

/** The row of a tournament as a draft of the organiser. (P6) */
export function asDraft(
  row: Row,
  { id, organiser, now }: { readonly id: string; readonly organiser: string; readonly now: Date },
): Row {
  const at = now.toISOString()
  return {
    ...row,
    ...{
      id,
      organiserGuid: organiser,
      status: 'draft',
      visibilityScope: 'selected',
      cancelReason: null,
      listed: false,
    },
    ...{ approvedAt: null, completedAt: null, createdAt: at, updatedAt: at },
  }
}

/**
 * What fell due before the import is not made up for: nothing is published, released or announced because of it. A restored
 * tournament keeps these times, and the instant after which they count; a copy has none of them. (P6, P7)
 */
export function settled(
  kind: string,
  row: Row,
  { isCopy, now }: { readonly isCopy: boolean; readonly now: Date },
): Row {
  if (!isCopy) return kind === 'tournament' ? { ...row, restoredAt: now.toISOString() } : row
  const isPast = (name: string) => typeof row[name] === 'string' && Date.parse(row[name]) <= now.getTime()
  if (kind === 'pools') {
    const { status, publishAt, announceAt } = row
    return {
      ...row,
      publishAt: status === 'draft' && isPast('publishAt') ? null : publishAt,
      announceAt: isPast('announceAt') ? null : announceAt,
    }
  }
  // The teams of a copy have not been told that their answers become public, and could not object in time.
  if (kind === 'answers') return { ...row, publicAt: null }
  if (kind !== 'poolMaps' || row.releasedAt !== null || !isPast('releaseAt')) return row
  return { ...row, releasedAt: row.releaseAt }
}

/** What an upload of a package is allowed; it may take as long as any upload. (P6) */
export const packageTerms: UploadTerms = {
  maxBytes: maxPackageBytes,
  seconds: 300,
  tournament: null,
  tooLarge: (maxBytes) =>
    new Problem('too_large', 'package.too_large', `A package may have at most ${maxBytes} bytes.`),
}

/** Why a package that was sent is not taken, with the statuses. (P6) */
export const packageProblems = {
  'package.unreadable': 400,
  'package.path': 400,
  'package.content': 400,
  'package.signature': 400,
  'package.version': 400,
  'package.row': 400,
  'import.running': 409,
  'media.quota_exceeded': 409,
  'package.too_large': 413,
  'service.busy': 503,
} as const

export const missingFile = () =>
  invalid('request.invalid', 'The part "file" is missing: send the package as a part of that name.')

/** What the import of a package is asked to do, once all fields are there. */
export interface AskedImport {
  readonly wish: ImportWish
  /** Whether a signer who is not known here will do. */
  readonly hasTrust: boolean
  readonly isDryRun: boolean
}

/**
 * A copy needs a short id of its own; a restored tournament keeps its own, and all of its parts. (P6)
 * @throws Problem `request.invalid`
 */
export function readImport({ mode, id, parts, trust, dryRun }: ImportBody, caller: string): AskedImport {
  if (mode === undefined) throw invalid('request.invalid', 'The part "mode" is missing: `copy` or `restore`.')
  if (mode === 'restore' && (id !== undefined || (parts ?? 'all') !== 'all')) {
    throw invalid(
      'request.invalid',
      'A restored tournament keeps its short id and all its parts: leave out "id" and "parts".',
    )
  }
  return {
    wish: { mode, id: mode === 'copy' ? readId(id) : null, parts: parts ?? 'all', caller },
    hasTrust: trust ?? false,
    isDryRun: dryRun ?? false,
  }
}

function readId(id: string | undefined): string {
  if (id === undefined) throw invalid('request.invalid', 'The part "id" is missing: the short id of the copy.')
  const fault = shortIdFault(id)
  if (fault !== null) throw invalid('request.invalid', `The short id of the copy ${fault}.`)
  return id.toLowerCase()
}

/**
 * Only a package with everything is the same tournament again. It can be restored if its signer is known here, or trusted
 * by the caller; a copy is a draft of the caller, and any package and signer will do. (P6)
 * @throws Problem `package.content`, `package.untrusted`
 */
export function checkImportable(
  { wish, hasTrust }: AskedImport,
  { variant }: Pick<Manifest, 'variant'>,
  signer: SignerState,
): void {
  if (wish.mode !== 'restore') return
  if (variant !== 'full') {
    throw invalid('package.content', `The package is ${variant}: only a full one is restored; import it as a copy.`)
  }
  if (signer === 'known' || (signer === 'unknown' && hasTrust)) return
  throw forbidden(
    'package.untrusted',
    signer === 'unknown'
      ? 'The package is signed by a key that is not known here; say that you trust it, or import it as a copy.'
      : 'The package is not signed, and can only be imported as a copy.',
  )
}

/** How many rows of each kind came. */
export function cameOf(
  counts: Readonly<Record<string, number>>,
  takesKind: (name: string) => boolean,
  leftOut: readonly Skipped[],
): Record<string, number> {
  const missing = (name: string) =>
    leftOut.filter(({ path }) => kindOf(path) === name).reduce((sum, { rows }) => sum + rows, 0)
  const kept = Object.entries(counts)
    .filter(([name]) => takesKind(name))
    .map(([name, count]): [string, number] => [name, count - missing(name)])
  return Object.fromEntries(kept.filter(([, count]) => count > 0))
}
