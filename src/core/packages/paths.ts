/** The paths of the files in a package. (P6) */

/** What is wrong with a path; null for one that a package may have. */
export function pathFault(path: string): string | null {
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'is absolute'
  if (/[\\:\0]/.test(path)) return 'has a backslash, a colon or a NUL'
  if (path.normalize('NFC') !== path) return 'is not in Unicode form NFC'
  const segments = path.split('/')
  if (segments.includes('')) return 'has an empty segment'
  if (segments.includes('..') || segments.includes('.')) return 'has a segment of dots'
  return null
}

export const manifestPath = 'manifest.json'
export const signaturePath = 'manifest.jws'

/** Paths of the package itself, which the manifest does not list. */
export function isOfManifest(path: string): boolean {
  return path === manifestPath || path === signaturePath
}

export function isMedia(path: string): boolean {
  return path.startsWith('media/')
}

/** The kind of the rows of a file; null for another file. */
export function kindOf(path: string): string | null {
  return /^data\/([a-zA-Z]+)\.ndjson$/.exec(path)?.[1] ?? null
}

/** The order of entries: the manifest, its signature, then all others by the bytes of their paths. (P1) */
export function byPath(one: string, other: string): number {
  return rankOf(one) - rankOf(other) || byBytes(one, other)
}

/** The order of two texts by their bytes in UTF-8, which is that of their code points. */
export function byBytes(one: string, other: string): number {
  const [ones, others] = [Array.from(one), Array.from(other)]
  const at = ones.findIndex((character, index) => character !== others[index])
  if (at === -1) return ones.length - others.length
  return (ones[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? -1)
}

const rankOf = (path: string) => (path === manifestPath ? 0 : path === signaturePath ? 1 : 2)
