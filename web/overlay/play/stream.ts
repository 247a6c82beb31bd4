import { formatters } from '../../../src/engine/scenes/formatters.ts'
import { h, style } from '../dom.ts'
import type { Context, Painter, Size } from '../draw/context.ts'
import { Pictures, portrait } from '../draw/pictures.ts'
import { mediaAddress, shownAddress } from '../model/addresses.ts'
import { flag, number, oneOf, type Props } from '../model/props.ts'
import { type Playing, playThrough, type Step, stepsOf, ways } from './chain.ts'
import { openHls, openLowLatencyHls } from './hls.ts'
import { hear, start } from './sound.ts'
import { openWhep, type Stop } from './whep.ts'

/** The maximum number of simultaneous videos, since many machines cannot decode more. (OV19) */
const maxVideos = 6
/** How long a stream that no scene shows keeps playing, in milliseconds, since the next scene may show it. */
const lingerMs = 3_000

/** A player of one stream, which scenes share. */
class StreamPlayer {
  readonly node = h('div', 'player')
  readonly #video = document.createElement('video')
  #steps = '[]'
  #ending = new AbortController()
  #users = 0
  #isPaused = false
  #lingering: ReturnType<typeof setTimeout> | undefined
  /** Called when a picture appears or disappears. */
  onPicture: (hasPicture: boolean) => void = () => {}
  hasPicture = false

  constructor() {
    this.#video.playsInline = true
    this.#video.muted = true
    this.#video.disableRemotePlayback = true
    // A video that was loading when its source was hidden starts to play by itself.
    this.#video.addEventListener('playing', () => {
      if (this.#isPaused) this.#video.pause()
    })
  }

  use(): void {
    clearTimeout(this.#lingering)
    this.#users++
  }

  /** @param end called when no scene has used it again */
  release(end: () => void): void {
    this.#users--
    if (this.#users > 0) return
    this.#lingering = setTimeout(() => {
      this.follow([])
      end()
    }, lingerMs)
  }

  follow(steps: readonly Step[]): void {
    const json = JSON.stringify(steps)
    if (json === this.#steps) return
    this.#steps = json
    this.#ending.abort()
    this.#ending = new AbortController()
    this.#tell(false)
    this.node.replaceChildren()
    if (steps.length === 0) return
    const { signal } = this.#ending
    void playThrough(steps, this.#playing(), signal)
  }

  hear(isHeard: boolean, volume: number): void {
    hear(this.#video, isHeard)
    this.#video.volume = Math.max(0, Math.min(1, volume))
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    if (isPaused) this.#video.pause()
    else if (this.node.contains(this.#video)) start(this.#video)
  }

  #playing(): Playing {
    return {
      open: async (step, signal) => {
        let lose: () => void = () => {}
        const lost = new Promise<void>((resolve) => {
          lose = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        const stop = await this.#open(step, () => lose(), signal)
        if (signal.aborted) {
          stop()
          return { lost }
        }
        this.#tell(true)
        void lost.then(() => {
          stop()
          if (!signal.aborted) this.#tell(false)
        })
        return { lost }
      },
      onNothing: () => this.#tell(false),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }
  }

  async #open({ way, address }: Step, onLost: () => void, signal: AbortSignal): Promise<Stop> {
    if (way === 'embed') return this.#embed(address)
    this.node.replaceChildren(this.#video)
    const open = way === 'whep' ? openWhep : way === 'llhls' ? openLowLatencyHls : openHls
    return open(address, this.#video, onLost, signal)
  }

  /** A frame of another site reports only that it has loaded. */
  #embed(address: string): Promise<Stop> {
    const frame = document.createElement('iframe')
    frame.allow = 'autoplay'
    frame.referrerPolicy = 'origin'
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.src = address
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the frame did not load')), 10_000)
      frame.addEventListener('load', () => {
        clearTimeout(timer)
        resolve(() => frame.remove())
      })
      this.node.replaceChildren(frame)
    })
  }

  #tell(hasPicture: boolean): void {
    this.hasPicture = hasPicture
    this.onPicture(hasPicture)
  }
}

const players = new Map<string, StreamPlayer>()

/** Stops all players and their requests. */
export function endPlayers(): void {
  for (const player of players.values()) player.follow([])
  players.clear()
}

/** The player of a stream; null when the maximum is reached. */
function playerOf(key: string): StreamPlayer | null {
  const known = players.get(key)
  if (known !== undefined) return known
  if (players.size >= maxVideos) return null
  const made = new StreamPlayer()
  players.set(key, made)
  return made
}

/** The stream of a player. (OV19) */
export class StreamPainter implements Painter {
  readonly #below = h('div', 'below')
  readonly node = h('div', 'stream', this.#below)
  readonly #pictures = new Pictures()
  #key = ''
  #player: StreamPlayer | null = null
  #drawn = ''

  update(props: Props, context: Context, size: Size): boolean {
    const { bound } = context.reading
    const side = number(props, 'side', 1, 1, 2)
    const player = number(props, 'player', 1, 1, 6)
    const person = bound.sides[side - 1]?.players[player - 1] ?? null
    this.#drawBelow(props, context, person?.name ?? '', shownAddress(person?.avatarUrl, context.media))
    // Scales the fallback, which is 2.6 em high, so that it fits even a small element.
    style(this.#below, { 'font-size': `${Math.min(72, Math.min(size.width, size.height) * 0.28)}px` })
    const steps = stepsOf(person?.stream ?? null, oneOf(props, 'prefer', ways, 'whep'))
    this.#take(person === null || steps.length === 0 ? '' : person.guid)
    this.#player?.follow(steps)
    const { audio } = bound.control
    const isActive = audio.active === 2 || audio.active === side - 1
    const isHeard = isActive && !audio.muted && !context.isMuted && !flag(props, 'muted')
    this.#player?.hear(isHeard, audio.volume)
    return false
  }

  pause(isPaused: boolean): void {
    this.#player?.pause(isPaused)
  }

  destroy(): void {
    this.#take('')
  }

  #take(key: string): void {
    if (key === this.#key && (this.#player !== null || key === '')) return
    const [player, before] = [this.#player, this.#key]
    if (player !== null) {
      if (player.node.parentNode === this.node) player.node.remove()
      player.release(() => players.delete(before))
    }
    this.#key = key
    this.#player = key === '' ? null : playerOf(key)
    this.node.classList.remove('playing')
    if (this.#player === null) return
    this.#player.use()
    this.node.append(this.#player.node)
    this.node.classList.toggle('playing', this.#player.hasPicture)
    this.#player.onPicture = (hasPicture) => this.node.classList.toggle('playing', hasPicture)
  }

  /** Draws the fallback: the picture of the document, else the portrait of the player. */
  #drawBelow(props: Props, { media, reading }: Context, name: string, avatar: string | null): void {
    const fallback = mediaAddress(props.fallback, media, 'webp')
    const drawn = JSON.stringify([fallback, name, avatar])
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#pictures.begin()
    const letters = String(formatters.initials?.(name, [], reading.around) ?? '')
    const shown = fallback === null ? portrait(this.#pictures, '', avatar, letters) : this.#pictures.take(fallback)
    this.#below.replaceChildren(...(fallback === null && name === '' ? [] : [shown]))
    style(this.#below, { display: 'flex' })
    this.#pictures.end()
  }
}
