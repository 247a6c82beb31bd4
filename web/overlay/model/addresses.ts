import { mirrorUrl } from '../../../src/core/mirror.ts'
import { maxAddressLength } from '../../../src/core/web.ts'

/** Pictures that are shown are own media or those of the mirror, and nothing else is ever asked for. (M26) */

const ours = /^\/media\/[^?#]*$/
/** As records hold them: whole. */
const elsewhere = /^https?:\/\//i

/**
 * Where a picture is shown from: own media from where they are, a picture elsewhere from the mirror; null for all that is neither.
 * @param media origin of our media
 */
export function shownAddress(address: unknown, media: string): string | null {
  if (typeof address !== 'string' || address === '' || address.length > maxAddressLength) return null
  try {
    const { origin, pathname, href } = new URL(address, media)
    const own = new URL(media).origin
    if (origin === own) return ours.test(pathname) ? href : null
    // As it was given, since the mirror looks for records that hold exactly this.
    return elsewhere.test(address) ? mirrorUrl(own, address) : null
  } catch {
    return null
  }
}

/** Whether what is there may come later: the mirror fetches a picture once it was asked for. (M26) */
export function isMirrored(address: string): boolean {
  return new URL(address).pathname.startsWith('/media/remote/')
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @param extension of the form in which media of its kind are kept */
export function mediaAddress(
  media: unknown,
  origin: string,
  extension: 'webp' | 'webm' | 'mp4' | 'woff2',
): string | null {
  if (typeof media !== 'string' || !guid.test(media)) return null
  return new URL(`/media/${media.toLowerCase()}/full.${extension}`, origin).href
}
