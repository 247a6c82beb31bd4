import { h, style } from '../dom.ts'

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

/** The pictures of one drawing, kept from one drawing to the next so that none is ever seen loading again. */
export class Pictures {
  readonly #known = new Map<string, HTMLImageElement[]>()
  #used = new Map<string, HTMLImageElement[]>()

  begin(): void {
    this.#used = new Map()
  }

  take(address: string): HTMLImageElement {
    const image = this.#known.get(address)?.pop() ?? made(address)
    const used = this.#used.get(address) ?? []
    this.#used.set(address, [...used, image])
    return image
  }

  end(): void {
    this.#known.clear()
    for (const [address, images] of this.#used) this.#known.set(address, images)
  }
}

function made(address: string): HTMLImageElement {
  const image = document.createElement('img')
  image.alt = ''
  image.decoding = 'async'
  image.draggable = false
  // What cannot be had leaves no mark of a broken picture.
  image.addEventListener('error', () => style(image, { visibility: 'hidden' }), { once: true })
  image.src = address
  return image
}

/** A picture, with letters below that are seen where there is none. */
export function portrait(pictures: Pictures, name: string, address: string | null, letters: string): HTMLElement {
  const initials = h('span', 'initials', letters)
  return h('div', `portrait ${name}`, initials, address === null ? null : pictures.take(address))
}
