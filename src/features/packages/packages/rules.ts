import { maxFiles, maxLineBytes, maxPackageBytes, maxRows, maxUnpackedBytes } from '../../../core/packages/limits.ts'
import type { ListedFile } from '../../../core/packages/manifest.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import type { Variant } from './types.ts'

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
