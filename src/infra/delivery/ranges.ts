import type { ByteRange } from '../storage/storage.ts'

const single = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * The requested part of a file; null for the whole file, also when the header is unreadable or asks for several parts.
 * (M20; RFC 9110 §14.2)
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

/**
 * Whether the range applies: without `If-Range`, or when the client has a part of this version of the file. (RFC 9110
 * §13.1.5)
 */
export function isRangeMeant(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}
