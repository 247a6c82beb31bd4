import { hash } from 'node:crypto'
import { codedTag, codings } from './content-codings.ts'

/**
 * A strong tag, made from the bytes that are sent. An answer may also have a tag of its own, which must be as precise.
 */
export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** The tag of an answer by the SHA-256 of its bytes, in hex. It is as long as other tags. */
export function etagOfDigest(sha256: string): string {
  return `"${Buffer.from(sha256, 'hex').subarray(0, tagBytes).toString('base64url')}"`
}

const tagBytes = 20

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
