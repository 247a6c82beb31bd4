/** Pictures that are shown are own media or those of the mirror, and nothing else is ever asked for. (M26) */

const ours = /^\/media\/[^?#]*$/

/**
 * An address that may be shown; null for every other.
 * @param media origin of our media
 */
export function ownAddress(address: unknown, media: string): string | null {
  if (typeof address !== 'string' || address === '') return null
  try {
    const { origin, pathname, href } = new URL(address, media)
    return origin === new URL(media).origin && ours.test(pathname) ? href : null
  } catch {
    return null
  }
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
