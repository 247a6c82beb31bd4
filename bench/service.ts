import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type Config, readConfig } from '../src/config.ts'
import { createLogs } from '../src/infra/log.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'

/** The service as a process of its own, on an embedded database of its own, and a way into that database. */
export interface Service {
  readonly url: string
  /** The same service as another process on the same database, which takes every known token's word for it. */
  startTrusting(): Promise<{ url: string; stop: () => Promise<void> }>
  readonly runtime: Runtime
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstStartMs: number
  readonly laterStartMs: number
  /** Bytes resident in the service's process, idle after the start. */
  readonly idleBytes: number
  readonly socketPort: number
  /** What the service holds, and the processor time that it has taken, now. */
  residentBytes(): Promise<number>
  processorMs(): Promise<number>
  close(): Promise<void>
}

const root = path.join(import.meta.dirname, '..')

export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-bench-'))
  await chmod(dataDir, 0o711)
  const [port, socketPort] = [await freePort(), await freePort()]
  const env = {
    PORT: String(port),
    SOCKET_PORT: String(socketPort),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const url = `http://127.0.0.1:${port}`

  const first = await start(env, url)
  await stop(first.child)
  const later = await start(env, url)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const idleBytes = await residentBytes(later.child)
  const config: Config = readConfig(env)
  const runtime = await openRuntime(config, createLogs('error').log)
  return {
    url,
    runtime,
    async startTrusting() {
      const port = await freePort()
      const script = path.join(import.meta.dirname, 'trusting-service.ts')
      const trusting = await start({ ...env, PORT: String(port), SOCKET_PORT: '0' }, `http://127.0.0.1:${port}`, [
        script,
      ])
      return { url: `http://127.0.0.1:${port}`, stop: () => stop(trusting.child) }
    },
    firstStartMs: first.ms,
    laterStartMs: later.ms,
    socketPort,
    residentBytes: () => residentBytes(later.child),
    processorMs: () => processorMs(later.child),
    idleBytes,
    async close() {
      await runtime.cleanups.run()
      await stop(later.child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function start(
  env: Record<string, string>,
  url: string,
  program = [path.join(root, 'bin/downbeat.js'), 'serve'],
): Promise<{ child: ChildProcess; ms: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(child)
  for (;;) {
    const answered = await fetch(`${url}/api/openapi.json`).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return { child, ms: performance.now() - started }
    if (child.exitCode !== null) throw new Error('the service did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** However this process ends; the last service that ends takes the database along. */
function endWithUs(child: ChildProcess): void {
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

async function residentBytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** A plain server that sends what `url` answers now, byte for byte. */
export async function startPlain(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const response = await fetch(url)
  const body = await response.text()
  const unsent = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !unsent.has(name)))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'plain-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  child.stdin.end(JSON.stringify({ headers, body }))
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())))
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
