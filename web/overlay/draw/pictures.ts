import { h, style } from '../dom.ts'
import { isAwaited, whenThere } from './mirrored.ts'

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
  const ask = () => {
    image.src = address
  }
  // What cannot be had leaves no mark of a broken picture.
  const hide = () => {
    style(image, { visibility: 'hidden' })
    whenThere(address, image, ask)
  }
  image.addEventListener('error', hide)
  image.addEventListener('load', () => style(image, { visibility: null }))
  if (isAwaited(address)) hide()
  else ask()
  return image
}

/** A picture, with letters below that are seen where there is none. */
export function portrait(pictures: Pictures, name: string, address: string | null, letters: string): HTMLElement {
  const initials = h('span', 'initials', letters)
  return h('div', `portrait ${name}`, initials, address === null ? null : pictures.take(address))
}
