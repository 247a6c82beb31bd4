import { extensionOf, type MediaType } from '../../core/media.ts'
import type { ObjectFacts } from '../storage/storage.ts'

/** Headers that a page of another origin needs also from redirects to a medium. */
export const leadingHeaders = { 'cross-origin-resource-policy': 'cross-origin', 'timing-allow-origin': '*' } as const

/**
 * The headers of a delivered medium, from the service or from the bucket. The bytes never change, and even a file that
 * a browser takes for a page runs and loads nothing. (M19)
 * @param name file name for users who save it
 */
export function deliveryHeaders(type: MediaType, name: string): Readonly<Record<string, string>> {
  return {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    ...leadingHeaders,
    'access-control-allow-origin': '*',
    'content-disposition': `inline; filename="${name}.${extensionOf(type)}"`,
  }
}

/**
 * The names of the headers, among those that are equal for all media, that a response lacks or has with another value.
 */
export function lackingHeaders(headers: Headers): string[] {
  const { 'content-type': _type, 'content-disposition': _name, ...standing } = deliveryHeaders('image/webp', '')
  return Object.entries(standing).flatMap(([name, value]) => (headers.get(name) === value ? [] : [name]))
}

/** The facts of an object to store; a storage that delivers by itself sends these headers. (M21) */
export function objectFacts(made: {
  readonly bytes: number
  readonly digest: string
  readonly type: MediaType
}): ObjectFacts {
  const { bytes, digest, type } = made
  return { bytes, digest, headers: deliveryHeaders(type, digest.slice(0, 32)) }
}
