import { extensionOf, type MediaType } from '../../core/media.ts'
import type { ObjectFacts } from '../storage/storage.ts'

/** What a page elsewhere needs of whatever leads it to a medium, too. */
export const leadingHeaders = { 'cross-origin-resource-policy': 'cross-origin', 'timing-allow-origin': '*' } as const

/**
 * What goes with the bytes of a medium, from wherever they come: they never change, and even one that a browser takes for a page
 * runs nothing and loads nothing. (M19)
 * @param name of the file, for whoever saves it
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

/** Those that are the same for all media, and that an answer has not or has otherwise. */
export function lackingHeaders(headers: Headers): string[] {
  const { 'content-type': _type, 'content-disposition': _name, ...standing } = deliveryHeaders('image/webp', '')
  return Object.entries(standing).flatMap(([name, value]) => (headers.get(name) === value ? [] : [name]))
}

/** An object as it is kept; a storage that delivers by itself does so with these headers. (M21) */
export function objectFacts(made: {
  readonly bytes: number
  readonly digest: string
  readonly type: MediaType
}): ObjectFacts {
  const { bytes, digest, type } = made
  return { bytes, digest, headers: deliveryHeaders(type, digest.slice(0, 32)) }
}
