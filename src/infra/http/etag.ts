import { hash } from 'node:crypto'
import { codedTag, codings } from './codings.ts'

/** Strong: made from the very bytes that are sent. An answer may have one of its own, which tells as much. */
export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/**
 * RFC 9110 §13.1.2, weak comparison: a cache in between may have weakened our validator. Whoever holds the answer in any coding
 * holds the same answer.
 */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => isTagOf(tag.trim().replace(/^W\//, ''), etag))
}

/** Whether a tag is that of an answer, in whichever coding. */
export function isTagOf(tag: string, etag: string): boolean {
  return tag === etag || codings.some((coding) => tag === codedTag(etag, coding))
}
