import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { type MediaKind, mediaKinds } from '../../core/media.ts'
import { busy, type Problem } from '../../core/problem.ts'
import { FairLine, type Holder } from './fair-queue.ts'
import { place, take } from './files.ts'
import { type Answered, type Asked, givenFile, isMade, type Made, madeFile } from './messages.ts'
import { DecodingProcess, type Ended, type ProcessBounds } from './process.ts'
import { type Decoded, type MediaDecoder, type MediaFault, mediaFaults, type VariantWanted } from './requests.ts'

/**
 * Decodes the files of users in separate processes, because hostile bytes may break a decoder written in C: when the
 * process ends, only that file is refused. A process starts with the first file, and ends some time after the last.
 * (M6)
 */

interface Options {
  /**
   * The parent of the folders of the processes; on the same file system as the files to decode, so that these can be
   * linked.
   */
  readonly folder: string
  readonly processes?: number
  readonly pictureMs?: number
  readonly videoMs?: number
  readonly residentMb?: number
  readonly startMs?: number
  /** How long an idle process is kept. */
  readonly idleMs?: number
}

interface Slot {
  process: DecodingProcess | null
  idle: NodeJS.Timeout | undefined
  isBusy: boolean
}

/** The maximum of waiting and running work. */
const maxWaiting = 16
/** The maximum of waiting and running work of one account. (D81) */
const maxOfAccount = 4
const refusals = {
  full: 'Too many files are in line; try again in a minute.',
  account: `${maxOfAccount} of your files are in line; try again when the first of them is done.`,
}
/** How long work may wait in line; proxies have given up a request that waits longer. */
const patienceMs = 60_000
/** Folders of processes that are older than this are deleted: no idle process lives so long. */
const abandonedMs = 60 * 60_000

export class Decoder implements MediaDecoder {
  readonly #folder: string
  readonly #pictureMs: number
  readonly #videoMs: number
  readonly #bounds: ProcessBounds
  readonly #idleMs: number
  readonly #slots: readonly Slot[]
  readonly #line: FairLine
  #isClosed = false
  #isTidy = false

  constructor({
    folder,
    processes,
    pictureMs = 10_000,
    videoMs = 30_000,
    residentMb = 512,
    startMs = 30_000,
    idleMs = 60_000,
  }: Options) {
    const count = processes ?? (availableParallelism() > 2 ? 2 : 1)
    this.#folder = folder
    this.#pictureMs = pictureMs
    this.#videoMs = videoMs
    this.#bounds = { residentMb, startMs }
    this.#idleMs = idleMs
    this.#slots = Array.from({ length: count }, () => ({ process: null, idle: undefined, isBusy: false }))
    this.#line = new FairLine(count, maxWaiting, maxOfAccount)
  }

  async decode(
    kind: MediaKind,
    source: string,
    target: string,
    account: string | null,
  ): Promise<Decoded | { readonly fault: MediaFault }> {
    const maxMs = mediaKinds[kind].form === 'video' ? this.#videoMs : this.#pictureMs
    return await this.#made({ work: 'medium', kind }, maxMs, { source, target, account })
  }

  async mirror(source: string, target: string): Promise<Decoded | { readonly fault: MediaFault }> {
    return await this.#made({ work: 'mirror' }, this.#pictureMs, { source, target })
  }

  async variant(wanted: VariantWanted, source: string, target: string): Promise<{ readonly bytes: number }> {
    const made = await this.#made({ work: 'variant', wanted }, this.#pictureMs, { source, target, isOurs: true })
    if (!('fault' in made)) return made
    // The same variant may succeed later, when the machine is less busy.
    if (made.fault === 'too_complex') throw late()
    throw new Error(`a variant could not be made: ${made.fault}`)
  }

  /**
   * Does a piece of work without files.
   * @param patienceMs after which the work is given up, including its time in line and the start of the process
   * @param account GUID of the user who asked for it; null for the service itself
   * @throws Problem `service.busy` when too much is in line, or the work takes too long
   */
  async ask(asked: Asked, patienceMs: number, account: string | null): Promise<Answered | Ended> {
    const until = performance.now() + patienceMs
    return await this.#inLine({ account, work: asked.work }, until, async (process) => {
      let isLate = false
      const end = () => {
        isLate = true
        process.kill()
      }
      const tooLate = setTimeout(end, until - performance.now())
      // The limit of the process is longer than the timeout above, so that a late answer is reported as busy.
      const answered = await process.work(asked, 2 * patienceMs).finally(() => clearTimeout(tooLate))
      if (isLate && 'ended' in answered) throw late()
      return begun(answered)
    })
  }

  /** The ids of the processes that decode. */
  get processIds(): readonly number[] {
    return this.#slots.flatMap(({ process }) => process?.pid ?? [])
  }

  /** Ends the running work and refuses the waiting work. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#slots.map((slot) => this.#end(slot)))
    await this.#line.idle()
  }

  async #made(
    asked: Asked,
    maxMs: number,
    files: { source: string; target: string; isOurs?: boolean; account?: string | null },
  ) {
    const holder = { account: files.account ?? null, work: asked.work }
    return await this.#inLine(holder, performance.now() + patienceMs, async (process) => {
      await place(files.source, path.join(process.folder, givenFile), files.isOurs === true)
      const answered = begun(await process.work(asked, maxMs))
      // A file that ends the process is refused, whether it exceeded a limit or crashed the decoder.
      if ('ended' in answered) return { fault: answered.ended === 'bounds' ? 'too_complex' : 'undecodable' } as const
      if ('fault' in answered) return { fault: faultOf(answered.fault) }
      if ('error' in answered) throw new Error('what is ours could not be decoded', { cause: answered.error })
      if (!('made' in answered) || !isMade(answered.made)) throw strange(answered)
      return await this.#taken(answered.made, path.join(process.folder, madeFile), files.target)
    })
  }

  /**
   * Moves the file out of the process's folder; combines what the process reports with the size and digest computed
   * here.
   */
  async #taken(made: Made, file: string, target: string): Promise<Decoded> {
    const { type, width, height, isAnimated, durationMs, color } = made
    const { bytes, digest } = await take(file, target, type)
    return { type, bytes, digest, width, height, isAnimated, durationMs, color }
  }

  async #inLine<T>(holder: Holder, until: number, work: (process: DecodingProcess) => Promise<T>): Promise<T> {
    const refusal = this.#line.refusalOf(holder)
    if (refusal !== null) throw busy(refusals[refusal])
    return await this.#line.run(holder, async () => {
      if (this.#isClosed) throw restarting()
      if (performance.now() >= until) throw late()
      const slot = this.#slots.find(({ isBusy }) => !isBusy) as Slot
      slot.isBusy = true
      clearTimeout(slot.idle)
      try {
        if (slot.process?.hasEnded) await this.#end(slot)
        slot.process ??= await this.#start()
        const { process } = slot
        const done = await work(process)
        if (this.#isClosed) throw restarting()
        return done
      } catch (error) {
        // The process gave a wrong answer or made a wrong file: it may be compromised, so it is killed.
        slot.process?.kill()
        if (this.#isClosed) throw restarting()
        throw error
      } finally {
        if (this.#isClosed || slot.process?.hasEnded || slot.process?.isWornOut) await this.#end(slot)
        else await this.#tidy(slot)
        slot.isBusy = false
      }
    })
  }

  async #start(): Promise<DecodingProcess> {
    await mkdir(this.#folder, { recursive: true, mode: 0o750 })
    const folder = await realpath(this.#folder)
    if (!this.#isTidy) await removeAbandoned(folder)
    this.#isTidy = true
    return new DecodingProcess(await mkdtemp(path.join(folder, 'process-')), this.#bounds)
  }

  async #tidy(slot: Slot): Promise<void> {
    const { process } = slot
    if (process === null) return
    await Promise.all([givenFile, madeFile].map((name) => rm(path.join(process.folder, name), { force: true })))
    slot.idle = setTimeout(() => this.#end(slot), this.#idleMs).unref()
  }

  async #end(slot: Slot): Promise<void> {
    clearTimeout(slot.idle)
    const { process } = slot
    slot.process = null
    process?.kill()
    if (process !== null) await rm(process.folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Deletes the folders that a killed service left behind. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await stat(path.join(folder, name)).catch(() => null)
    if (found === null || Date.now() - found.mtimeMs < abandonedMs) continue
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Throws when the work did not begin or was late, since that says nothing about the file. */
function begun(answered: Answered | Ended): Answered | Ended {
  if ('ended' in answered && answered.ended === 'late') throw late()
  if ('ended' in answered && answered.ended === 'unstarted') throw new Error('the process that decodes does not start')
  return answered
}

function faultOf(fault: string): MediaFault {
  const known = mediaFaults.find((name) => name === fault)
  if (known === undefined) throw strange({ fault })
  return known
}

function strange(answered: object): Error {
  return new Error(`the process that decodes answers what it was not asked: ${JSON.stringify(answered).slice(0, 200)}`)
}

function late(): Problem {
  return busy('The file takes too long to read; try again in a minute, or with another one.')
}

function restarting(): Problem {
  return busy('The service is about to restart; try again in a minute.')
}
