import { h, type Styles, style, svg } from '../dom.ts'
import { mediaAddress, shownAddress } from '../model/addresses.ts'
import { colorOf, flag, number, oneOf, type Props, record } from '../model/props.ts'
import { hear, start } from '../play/sound.ts'
import type { Context, Painter } from './context.ts'
import { isAwaited, whenThere } from './mirrored.ts'

const flips = { none: null, horizontal: 'scaleX(-1)', vertical: 'scaleY(-1)', both: 'scale(-1)' } as const

/** Multiplies the pixels of a picture by a colour; transparent pixels stay transparent. */
class Tint {
  // A random id, because the document may contain two versions of the page for a moment.
  readonly #id = `tint-${Math.random().toString(36).slice(2)}`
  readonly #matrix = svg('feColorMatrix', { type: 'matrix' })
  readonly node = svg(
    'svg',
    { class: 'tint' },
    svg(
      'filter',
      { id: this.#id, x: '0', y: '0', width: '1', height: '1', 'color-interpolation-filters': 'sRGB' },
      this.#matrix,
    ),
  )

  #color = ''

  /** @returns the filter for the `filter` property */
  of(color: string): string {
    if (color !== this.#color) this.#write(color)
    return `url(#${this.#id})`
  }

  #write(color: string): void {
    this.#color = color
    const level = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255
    const strength = color.length === 9 ? level(7) : 1
    const [red, green, blue] = [1, 3, 5].map((at) => Math.round((1 - strength + strength * level(at)) * 1_000) / 1_000)
    this.#matrix.setAttribute('values', `${red} 0 0 0 0  0 ${green} 0 0 0  0 0 ${blue} 0 0  0 0 0 1 0`)
  }
}

/**
 * How long the previous picture stays while the next one loads, in milliseconds: as long as a scene waits for its
 * pictures.
 */
const patienceMs = 500

export class ImagePainter implements Painter {
  #tint: Tint | null = null
  readonly node = h('div', 'image')
  #image: HTMLImageElement | null = null
  #address: string | null = null
  #bound: string | null = null
  #own: string | null = null
  #styles: Styles = {}

  update(props: Props, { reading: { variables }, media }: Context): boolean {
    const [bound, own] = [shownAddress(props.address, media), mediaAddress(props.media, media, 'webp')]
    if (bound !== this.#bound || own !== this.#own) {
      this.#bound = bound
      this.#own = own
      if (bound === null || !isAwaited(bound)) this.#load(bound ?? own)
      else this.#standIn(bound)
    }
    const color = colorOf(props.tint, variables)
    if (color !== null && this.#tint === null) {
      this.#tint = new Tint()
      this.node.append(this.#tint.node)
    }
    const flip = oneOf(props, 'flip', ['none', 'horizontal', 'vertical', 'both'], 'none')
    this.#styles = {
      'object-fit': oneOf(props, 'fit', ['contain', 'cover', 'fill'], 'contain'),
      transform: flips[flip],
      filter: color === null || this.#tint === null ? null : this.#tint.of(color),
    }
    if (this.#image !== null) style(this.#image, this.#styles)
    return false
  }

  /** Shows the picture of the document until the bound picture can be loaded. */
  #standIn(bound: string): void {
    this.#load(this.#own)
    whenThere(bound, this.node, () => {
      if (bound === this.#bound) this.#load(bound)
    })
  }

  /**
   * Keeps the previous picture until the next one is loaded, but not for long: it would no longer match the rest of the
   * scene.
   */
  #load(address: string | null): void {
    if (address === this.#address) return
    this.#address = address
    if (address === null) {
      this.#removeAllBut(null)
      return
    }
    const before = this.#image
    const image = document.createElement('img')
    image.alt = ''
    image.decoding = 'async'
    image.src = address
    this.#image = image
    this.node.prepend(image)
    style(image, { ...this.#styles, visibility: before === null ? null : 'hidden' })
    const swap = () => {
      if (image !== this.#image) return
      const isThere = image.naturalWidth > 0
      this.#removeAllBut(image)
      style(image, { visibility: isThere ? null : 'hidden' })
      if (!isThere && address === this.#bound) this.#standIn(address)
    }
    image.decode().then(swap, swap)
    if (before === null) return
    setTimeout(() => {
      if (image === this.#image) this.#removeAllBut(image)
    }, patienceMs)
  }

  /** Removes all other pictures, since several may have been loading. */
  #removeAllBut(image: HTMLImageElement | null): void {
    for (const other of this.node.querySelectorAll('img')) if (other !== image) other.remove()
    this.#image = image
  }
}

export class VideoPainter implements Painter {
  readonly #video = document.createElement('video')
  readonly node = h('div', 'image', this.#video)
  #media = ''
  #isPaused = false

  constructor() {
    this.#video.playsInline = true
    this.#video.disableRemotePlayback = true
  }

  update(props: Props, { media, isMuted, reading }: Context): boolean {
    const video = this.#video
    const given = typeof props.media === 'string' ? props.media : ''
    const { audio } = reading.bound.control
    video.loop = flag(props, 'loop', true)
    hear(video, !(flag(props, 'muted', true) || isMuted || audio.muted))
    video.volume = Math.max(0, Math.min(1, audio.volume))
    style(video, { 'object-fit': oneOf(props, 'fit', ['contain', 'cover', 'fill'], 'cover') })
    if (given !== this.#media) {
      this.#media = given
      video.replaceChildren()
      for (const extension of ['webm', 'mp4'] as const) {
        const address = mediaAddress(given, media, extension)
        if (address === null) continue
        const source = document.createElement('source')
        source.src = address
        source.type = `video/${extension}`
        video.append(source)
      }
      video.load()
      const startAt = number(props, 'startAt', 0, 0, 86_400)
      const begin = () => {
        video.currentTime = startAt
      }
      if (startAt > 0) video.addEventListener('loadedmetadata', begin, { once: true })
      this.#play()
    }
    return false
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#play()
  }

  #play(): void {
    if (this.#isPaused || this.#media === '') this.#video.pause()
    else start(this.#video)
  }

  destroy(): void {
    this.#video.pause()
    this.#video.replaceChildren()
    this.#video.removeAttribute('src')
    this.#video.load()
  }
}

/** The border of an element, inside its box. */
export function borderOf(props: Props, variables: Context['reading']['variables']): string | null {
  const border = record(props, 'border')
  const width = number(border, 'width', 0, 0, 100)
  const color = colorOf(border.color, variables)
  return width === 0 || color === null ? null : `inset 0 0 0 ${width}px ${color}`
}
