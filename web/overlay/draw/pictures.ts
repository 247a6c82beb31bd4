import { h, style } from '../dom.ts'
import { isAwaited, whenThere } from './mirrored.ts'

/** The pictures of a drawing, reused by the next drawing so that no picture is loaded again. */
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
  // Hides a picture that failed to load, so that no broken picture is shown.
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

/** A picture, with letters behind it that are visible when it is missing. */
export function portrait(pictures: Pictures, name: string, address: string | null, letters: string): HTMLElement {
  const initials = h('span', 'initials', letters)
  return h('div', `portrait ${name}`, initials, address === null ? null : pictures.take(address))
}
