import { formatters } from '../../../src/engine/scenes/formatters.ts'
import type { TreePlayer } from '../../../src/engine/scenes/tree.ts'
import { h, style } from '../dom.ts'
import type { Context, Painter, Size } from '../draw/context.ts'
import { Pictures, portrait } from '../draw/pictures.ts'
import { mediaAddress, shownAddress } from '../model/addresses.ts'
import { faded, flag, number, oneOf, type Props } from '../model/props.ts'
import { type Playing, playThrough, type Step, stepsOf, ways } from './chain.ts'
import { openEmbed } from './embed.ts'
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
    if (way === 'embed') return openEmbed(this.node, address, onLost, signal)
    this.node.replaceChildren(this.#video)
    const open = way === 'whep' ? openWhep : way === 'llhls' ? openLowLatencyHls : openHls
    return open(address, this.#video, onLost, signal)
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
    this.#drawBelow(props, context, person, size)
    // Scales the fallback, whose portrait is 2.6 em high, so that it fits even a small element.
    const color = context.reading.sideColors[side - 1] ?? context.reading.sideColors[0]
    style(this.#below, {
      background: `linear-gradient(${side === 1 ? 110 : 250}deg, ${faded(color, 0.34)}, ${faded(color, 0.06)} 70%)`,
      'font-size': `${Math.min(120, Math.min(size.width, size.height) * 0.24)}px`,
    })
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

  /** Draws the fallback: the picture of the document, else the player, so that no window is empty. */
  #drawBelow(props: Props, { media, reading }: Context, person: TreePlayer | null, { height }: Size): void {
    const fallback = mediaAddress(props.fallback, media, 'webp')
    const avatar = shownAddress(person?.avatarUrl, media)
    // Scenes show the name next to a small window.
    const isLarge = height >= 400
    const { name = '', pronouns = null, rankA = null } = person ?? {}
    const drawn = JSON.stringify([fallback, name, avatar, isLarge, pronouns, rankA])
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#pictures.begin()
    if (fallback !== null) this.#below.replaceChildren(this.#pictures.take(fallback))
    else {
      const letters = String(formatters.initials?.(name, [], reading.around) ?? '')
      const facts = [rankA === null ? null : `Rank #${rankA}`, pronouns].filter((fact) => fact !== null)
      const words = h('div', 'words', h('span', 'name', name), h('span', 'facts', facts.join(' · ')))
      const shown = [portrait(this.#pictures, '', avatar, letters), ...(isLarge ? [words] : [])]
      this.#below.replaceChildren(...(name === '' ? [] : shown))
    }
    style(this.#below, { display: 'flex' })
    this.#pictures.end()
  }
}
