import { mirrorUrl } from '../../../src/core/mirror.ts'
import { maxAddressLength } from '../../../src/core/web.ts'

/** The page shows only own media and pictures of the mirror, and requests nothing else. (M26) */

const ours = /^\/media\/[^?#]*$/
/** Records hold whole addresses. */
const elsewhere = /^https?:\/\//i

/**
 * The address from which a picture is shown: own media directly, a picture elsewhere from the mirror; null for anything
 * else.
 * @param media the origin of our media
 */
export function shownAddress(address: unknown, media: string): string | null {
  if (typeof address !== 'string' || address === '' || address.length > maxAddressLength) return null
  try {
    const { origin, pathname, href } = new URL(address, media)
    const own = new URL(media).origin
    if (origin === own) return ours.test(pathname) ? href : null
    // Unchanged, because the mirror looks for records with exactly this address.
    return elsewhere.test(address) ? mirrorUrl(own, address) : null
  } catch {
    return null
  }
}

/** Whether a missing picture may come later: the mirror fetches pictures after their first request. (M26) */
export function isMirrored(address: string): boolean {
  return new URL(address).pathname.startsWith('/media/remote/')
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @param extension of the format in which media of its kind are stored */
export function mediaAddress(
  media: unknown,
  origin: string,
  extension: 'webp' | 'webm' | 'mp4' | 'woff2',
): string | null {
  if (typeof media !== 'string' || !guid.test(media)) return null
  return new URL(`/media/${media.toLowerCase()}/full.${extension}`, origin).href
}
