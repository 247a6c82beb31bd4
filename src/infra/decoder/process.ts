import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answered, Asked, Told } from './messages.ts'

/** One process that decodes, from the service's side: its start, its limits and its end. (M6) */

/** How work without an answer ended. `late` and `unstarted` mean that it did not begin in time or at all. */
export interface Ended {
  readonly ended: 'late' | 'unstarted' | 'bounds' | 'crash'
}

export interface ProcessBounds {
  readonly residentMb: number
  /** The time limit of the start, however busy the machine is. */
  readonly startMs: number
}

const main = fileURLToPath(new URL('./worker/main.ts', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const maxProcessorSeconds = 25
/** A process that has used this much processor time gets no more work, so that enough time is left for each piece. */
const wornOutMs = 5_000
const wornOutBytes = 192 * 1024 * 1024
const maxHeapMb = 128
const lookEveryMs = 50
const busyFactor = 3
/** Even a busy machine gives a process this much processor time in a few seconds; one that has used less is stuck. */
const minSpentMs = 20
/** The niceness, from 0 to 19. */
const lowPriority = 15
/** Windows has no `ulimit`. */
const hasShell = process.platform !== 'win32'

type Answer = Answered | Ended

export class DecodingProcess {
  readonly folder: string
  readonly #child: ChildProcess
  /** Whether the process has started. */
  #isReady = false
  #take: ((answer: Answer) => void) | null = null
  #end: Ended | null = null
  #spent = { processorMs: 0, resident: 0 }

  readonly #bounds: ProcessBounds

  /** @param folder the process's own folder, the only one that it may read and write */
  constructor(folder: string, bounds: ProcessBounds) {
    this.folder = folder
    this.#bounds = bounds
    this.#child = start(folder)
    yieldToOthers(this.#child.pid)
    this.#child.on('error', () => this.#ended({ ended: 'crash' }))
    this.#child.on('exit', (code, signal) => this.#ended({ ended: isKill(code, signal) ? 'bounds' : 'crash' }))
    this.#child.on('message', ({ answered, ...spent }: Told) => {
      this.#spent = spent
      // `ready` may arrive before there is work, while the input file is still being put into the folder.
      if ('ready' in answered) this.#isReady = true
      this.#take?.(answered)
    })
    this.#letGo()
  }

  get pid(): number | null {
    return this.#end === null ? (this.#child.pid ?? null) : null
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get hasEnded(): boolean {
    return this.#end !== null
  }

  get isWornOut(): boolean {
    return !(this.#spent.processorMs < wornOutMs && this.#spent.resident < wornOutBytes)
  }

  /**
   * Does one piece of work at a time.
   * @param maxMs the limit of processor time, without the start of the process. The process is killed when it exceeds
   *   the limit, or after three times as long on a busy machine.
   */
  async work(asked: Asked, maxMs: number): Promise<Answer> {
    // A caller waits for the process now; an idle process does not keep the service running.
    this.#child.ref()
    this.#child.channel?.ref()
    const looking = setInterval(() => this.#look(), lookEveryMs)
    let tooLate = this.#isReady ? this.#killAfter(maxMs) : setTimeout(() => this.kill(), this.#bounds.startMs)
    try {
      if (!this.#isReady) {
        const first = await this.#answer()
        if ('ended' in first) return { ended: first.ended === 'bounds' ? 'late' : 'unstarted' }
        if (!('ready' in first)) return { ended: 'unstarted' }
        clearTimeout(tooLate)
        tooLate = this.#killAfter(maxMs)
      }
      const answer = this.#answer()
      // A process that has just ended ignores the message; its `exit` event reports the end.
      this.#child.send(asked, () => {})
      return await answer
    } finally {
      clearInterval(tooLate)
      clearInterval(looking)
      this.#letGo()
    }
  }

  kill(end: Ended = { ended: 'bounds' }): void {
    this.#child.kill('SIGKILL')
    this.#ended(end)
  }

  /** Measures processor time, so that a file is not refused because the machine is busy. */
  #killAfter(maxMs: number): NodeJS.Timeout {
    const [began, used] = [performance.now(), processorMs(this.#child.pid)]
    return setInterval(
      () => {
        const elapsed = performance.now() - began
        if (elapsed < maxMs) return
        const now = processorMs(this.#child.pid)
        const spent = now === null || used === null ? maxMs : now - used
        if (spent >= maxMs || spent < minSpentMs) this.kill()
        else if (elapsed >= busyFactor * maxMs) this.kill({ ended: 'late' })
      },
      Math.min(maxMs, lookEveryMs),
    )
  }

  #answer(): Promise<Answer> {
    return new Promise((resolve) => {
      if (this.#end !== null) return resolve(this.#end)
      this.#take = resolve
    })
  }

  #ended(end: Ended): void {
    this.#end ??= end
    this.#take?.(this.#end)
  }

  /** Kills a process with too much memory. Where there is no /proc, the process checks itself. */
  #look(): void {
    try {
      const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? []
      if (Number(resident) > this.#bounds.residentMb * 1024) this.kill()
    } catch {}
  }

  #letGo(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

/** One thread, because each thread that decodes keeps some memory. */
const threads = { UV_THREADPOOL_SIZE: '1' }

/** Starts the process without anything of ours: no environment, no secrets and no options of this process. */
function start(folder: string): ChildProcess {
  const reads = [path.join(root, 'src', '*'), path.join(root, 'node_modules', '*'), path.join(root, 'package.json')]
  const execArgv = [
    ...['--permission', '--allow-addons', '--expose-gc', `--max-old-space-size=${maxHeapMb}`],
    ...[...reads, path.join(folder, '*')].map((place) => `--allow-fs-read=${place}`),
    `--allow-fs-write=${path.join(folder, '*')}`,
  ]
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  if (!hasShell) return fork(main, { env: threads, execArgv, stdio: [...stdio], cwd: folder, serialization: 'json' })
  // The shell adds variables of its own; only ours and the one with the IPC channel are passed on.
  const passed = [...Object.keys(threads), 'NODE_CHANNEL_FD'].map((name) => `${name}="$${name}"`).join(' ')
  const script = `ulimit -c 0; ulimit -t ${maxProcessorSeconds}; exec /usr/bin/env -i ${passed} "$@"`
  return spawn('/bin/sh', ['-c', script, 'sh', process.execPath, ...execArgv, main], {
    env: threads,
    stdio: [...stdio],
    cwd: folder,
    serialization: 'json',
  })
}

/** Lowers the priority of a process, so that requests of users come before decoding. */
export function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority)
  } catch {}
}

/**
 * The processor time of a process in milliseconds; null where there is no /proc. Fields 14 and 15 are hundredths of a
 * second. (proc(5))
 */
function processorMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

/**
 * Whether a limit ended the process: killed by the service or the kernel, by itself, or by Node.js because the heap is
 * full.
 */
function isKill(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || signal === 'SIGXCPU' || signal === 'SIGABRT' || code === 3 || code === 134
}
