import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'

/** A process of the service with its measurements. */
export interface ServiceProcess {
  readonly url: string
  /** 0 when it serves no sockets. */
  readonly socketPort: number
  /** Milliseconds from its start to its first answer. */
  readonly startMs: number
  residentBytes(): Promise<number>
  /** The used processor time. */
  processorMs(): Promise<number>
  /** The processor time of its event loop, without its other threads. On Linux only. */
  loopMs(): Promise<number>
  /**
   * The 99th percentile of the time between two turns of its event loop, in milliseconds, since the last call. It is
   * sampled every 10 ms, so that the value is at least 10 ms.
   */
  loopDelayMs(): Promise<number>
  /** Stops the process with a signal that it handles. */
  stop(): Promise<void>
  /** Kills the process. */
  kill(): Promise<void>
}

const root = path.join(import.meta.dirname, '..')
const service = [path.join(root, 'bin/downbeat.js'), 'serve']

/** @param program replaces the service's own program */
export async function startProcess(env: Record<string, string>, program = service): Promise<ServiceProcess> {
  const [port, socketPort] = [env.PORT ?? String(await freePort()), env.SOCKET_PORT ?? String(await freePort())]
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { MALLOC_ARENA_MAX: '2', ...process.env, ...env, PORT: port, SOCKET_PORT: socketPort },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(child)
  // A gateway answers only the readiness check.
  const first = env.SERVE === 'gateway' ? '/readyz' : '/api/openapi.json'
  for (;;) {
    const answered = await fetch(url + first).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) break
    if (child.exitCode !== null) throw new Error('the service did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url,
    socketPort: Number(socketPort),
    startMs: performance.now() - started,
    residentBytes: () => residentBytes(child),
    processorMs: () => processorMs(child),
    loopMs: () => loopMs(child),
    loopDelayMs: () => loopDelayMs(url),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  }
}

export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** Ends the child with this process, however this process ends; the last service that ends stops the database. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** (proc_pid_stat(5): utime and stime, in ticks of a hundredth of a second) */
async function processorMs(child: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** (the kernel's sched-stats: nanoseconds on the processor; the first thread is the one with the event loop) */
async function loopMs({ pid }: ChildProcess): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1_000_000
}

async function residentBytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Each read resets the histogram. */
async function loopDelayMs(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
