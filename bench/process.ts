import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'

/** The service as a process of its own, and what is known of the process. */
export interface ServiceProcess {
  readonly url: string
  /** 0 where it takes no sockets. */
  readonly socketPort: number
  /** Milliseconds from its start to its first answer. */
  readonly startMs: number
  residentBytes(): Promise<number>
  /** The processor time that it has taken. */
  processorMs(): Promise<number>
  /** The processor time that its event loop has taken, without what runs beside it in threads. On Linux alone. */
  loopMs(): Promise<number>
  /**
   * Milliseconds between two turns of its event loop, of 99 in 100, since this was asked last. Between two looks there are
   * 10 ms even where nothing keeps it.
   */
  loopDelayMs(): Promise<number>
  /** Ends as it does when it is told to. */
  stop(): Promise<void>
  /** Ends without knowing. */
  kill(): Promise<void>
}

const root = path.join(import.meta.dirname, '..')
const service = [path.join(root, 'bin/downbeat.js'), 'serve']

/** @param program in place of the service's own */
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
  // A gateway answers no request but whether it is ready.
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
    ...{ url, socketPort: Number(socketPort), startMs: performance.now() - started },
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

/** However this process ends; the last service that ends takes the database along. */
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

/** (the kernel's sched-stats: nanoseconds on the processor; the first thread is the one that runs the loop) */
export async function loopMs({ pid }: ChildProcess): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1_000_000
}

async function residentBytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** The histogram begins anew whenever somebody looks at it. */
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
