import { type ChildProcess, fork } from 'node:child_process'
import pLimit from 'p-limit'
import { unavailable } from '../../core/problem.ts'
import { type CoverFault, coverFaults, isAnimated, isOfType, type PictureType, readDataUri } from './data-uri.ts'
import type { Answered, Asked } from './decoder.ts'
import { drawingOf } from './drawing.ts'

/**
 * Pictures that callers send, decoded and written anew, and those that are drawn for want of one. (pools: Records)
 *
 * Decoders of pictures are where hostile bytes meet code in C. They run in a process of their own, which has no secrets, and
 * whose end is a refusal of one picture; it is started when the first comes and ends some time after the last.
 */

export interface Cover {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly picture: Buffer
  /** 256 × 256 */
  readonly small: Buffer
}

export interface RefusedCover {
  readonly fault: CoverFault
}

const decoder = new URL('./decoder.ts', import.meta.url)
/** With the one that is at work. */
const mostWaiting = 16
const usualPatienceMs = 20_000
const idleMs = 60_000
const mostHeapMb = 64
/** Some 15 kB each. */
const mostRemembered = 300
/** Of what the decoder gives; more than it can be, whatever the picture. */
const mostBytes = 2 * 1024 * 1024

interface Decoder {
  readonly child: ChildProcess
  /** Whether it could begin at all. */
  isReady: boolean
  take: ((answered: Answered | 'ended') => void) | null
}

export class Pictures {
  readonly #patienceMs: number
  readonly #line = pLimit(1)
  readonly #drawn = new Map<string, Promise<Buffer>>()
  #decoder: Decoder | null = null
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param patienceMs after which a piece of work is given up, its time in line and the start of the process included */
  constructor(patienceMs = usualPatienceMs) {
    this.#patienceMs = patienceMs
  }

  /**
   * Reads a data URI of a square PNG or JPEG of 64 to 1024 pixels and at most 256 KiB. What comes back is written anew,
   * without metadata; a PNG that would be very large that way becomes a JPEG. (pools: Records)
   * @throws Problem `service.busy` when too much is in line, or it takes too long
   */
  async readCover(uri: string): Promise<Cover | RefusedCover> {
    const stated = readDataUri(uri)
    if (typeof stated === 'string') return { fault: stated }
    if (stated.type === 'png' && isAnimated(stated.bytes)) return { fault: 'animated' }
    const answered = await this.#ask({ work: 'cover', type: stated.type, data: stated.bytes.toString('base64') })
    if (answered === 'ended') return { fault: 'unreadable' }
    if ('fault' in answered && Object.hasOwn(coverFaults, answered.fault)) return { fault: answered.fault }
    if (!('picture' in answered)) throw new Error('the process that decodes pictures answers what it was not asked')
    const { type } = answered
    return {
      mediaType: type === 'png' ? 'image/png' : 'image/jpeg',
      picture: pictureOf(type, answered.picture),
      small: pictureOf(type, answered.small),
    }
  }

  /**
   * A PNG that is made from the name alone, the same whenever and wherever it is made. The last few hundred are remembered.
   * @throws Problem `service.busy` as above
   */
  async generatedCover(name: string, side: 256 | 512 = 256): Promise<Buffer> {
    const svg = drawingOf(name, side)
    const drawn = this.#drawn.get(svg) ?? this.#draw(svg)
    // What was asked for last is forgotten last.
    this.#drawn.delete(svg)
    this.#drawn.set(svg, drawn)
    const [oldest] = this.#drawn.keys()
    if (this.#drawn.size > mostRemembered && oldest !== undefined) this.#drawn.delete(oldest)
    try {
      return await drawn
    } catch (error) {
      if (this.#drawn.get(svg) === drawn) this.#drawn.delete(svg)
      throw error
    }
  }

  /** Of the process that decodes; null while there is none. */
  get processId(): number | null {
    return this.#decoder?.child.pid ?? null
  }

  /** Ends what is at work and what is in line. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#end()
    await this.#line(() => {})
  }

  async #draw(svg: string): Promise<Buffer> {
    const answered = await this.#ask({ work: 'drawing', svg })
    if (answered === 'ended' || !('drawn' in answered)) {
      throw new Error('a picture could not be drawn', { cause: answered })
    }
    return pictureOf('png', answered.drawn)
  }

  async #ask(asked: Asked): Promise<Answered | 'ended'> {
    if (this.#line.activeCount + this.#line.pendingCount >= mostWaiting) {
      throw unavailable('service.busy', 'Too many pictures are in line; try again in a minute.')
    }
    const tooLate = AbortSignal.timeout(this.#patienceMs)
    return await this.#line(() => this.#work(asked, tooLate))
  }

  async #work(asked: Asked, tooLate: AbortSignal): Promise<Answered | 'ended'> {
    if (this.#isClosed) throw restarting()
    if (tooLate.aborted) throw late()
    clearTimeout(this.#idle)
    const deadline = new Promise<'late'>((resolve) => {
      tooLate.addEventListener('abort', () => resolve('late'), { once: true })
    })
    this.#decoder ??= this.#start()
    const { child } = this.#decoder
    // Somebody waits for it now; while it has nothing to do, it never keeps this process from ending.
    keep(child)
    const answered = await Promise.race([exchange(this.#decoder, asked), deadline])
    letGo(child)
    if (this.#isClosed) throw restarting()
    if (answered === 'late') {
      this.#end()
      throw late()
    }
    if (answered === 'unstarted') throw new Error('the process that decodes pictures does not start')
    this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    return answered
  }

  #start(): Decoder {
    const child = fork(decoder, {
      // Of ours it inherits nothing: neither secrets from the environment nor how this process was started.
      env: { VIPS_WARNING: '0' },
      // It may read files, which its libraries are, and that is all that Node.js lets it do.
      execArgv: ['--permission', '--allow-addons', '--allow-fs-read=*', `--max-old-space-size=${mostHeapMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
    })
    const started: Decoder = { child, isReady: false, take: null }
    const ended = () => {
      if (this.#decoder === started) this.#decoder = null
      started.take?.('ended')
    }
    child.on('error', ended)
    child.on('exit', ended)
    child.on('message', (answered: Answered) => started.take?.(answered))
    return started
  }

  #end(): void {
    clearTimeout(this.#idle)
    const ended = this.#decoder
    this.#decoder = null
    ended?.child.kill('SIGKILL')
    ended?.take?.('ended')
  }
}

/** Sends one piece of work to a process that has none, once it can take it. */
async function exchange(to: Decoder, asked: Asked): Promise<Answered | 'ended' | 'unstarted'> {
  const answer = () =>
    new Promise<Answered | 'ended'>((resolve) => {
      to.take = resolve
    })
  if (!to.isReady) {
    const first = await answer()
    if (first === 'ended' || !('ready' in first)) return 'unstarted'
    to.isReady = true
  }
  const answered = answer()
  // A process that has just ended takes nothing; its end is told by its event.
  to.child.send(asked, () => {})
  return await answered
}

function keep(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function late() {
  return unavailable('service.busy', 'The picture takes too long to read; try again in a minute, or with another one.')
}

function restarting() {
  return unavailable('service.busy', 'The service is about to restart; try again in a minute.')
}

/** Whatever became of the process that decodes: what it gives is stored and served only if it is a picture. */
function pictureOf(type: PictureType, encoded: string): Buffer {
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > mostBytes || !isOfType(bytes, type)) throw new Error('what was decoded is no picture')
  return bytes
}
