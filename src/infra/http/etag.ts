import { hash } from 'node:crypto'
import { codedTag, codings } from './content-codings.ts'

/**
 * A strong tag, made from the bytes that are sent. An answer may also have a tag of its own, which must be as precise.
 */
export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/**
 * Whether `If-None-Match` matches. RFC 9110 §13.1.2, weak comparison: a cache in between may have weakened our
 * validator. The tag of any coding matches, because the content is the same.
 */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => isTagOf(tag.trim().replace(/^W\//, ''), etag))
}

/** Whether a tag belongs to an answer, in any coding. */
export function isTagOf(tag: string, etag: string): boolean {
  return tag === etag || codings.some((coding) => tag === codedTag(etag, coding))
}
