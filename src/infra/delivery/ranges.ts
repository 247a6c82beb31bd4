import type { ByteRange } from '../storage/storage.ts'

const single = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * The part of a file that is asked for: null for the whole, which is also what a header gets that cannot be read or that asks for
 * several parts. (M20; RFC 9110 §14.2)
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const found = header === undefined ? null : single.exec(header)
  if (found === null) return null
  const [, from, to, suffix] = found
  if (suffix !== undefined) {
    const length = Number(suffix)
    return length === 0 || bytes === 0 ? 'unsatisfiable' : { first: Math.max(0, bytes - length), last: bytes - 1 }
  }
  const first = Number(from)
  const last = to === '' || to === undefined ? bytes - 1 : Number(to)
  if (to !== '' && last < first) return null
  return first >= bytes ? 'unsatisfiable' : { first, last: Math.min(last, bytes - 1) }
}

/** Whether a range counts: without a condition, or where the file is still the one that the asker has a part of. (RFC 9110 §13.1.5) */
export function isRangeMeant(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}
