import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { request } from 'undici'
import { type Config, readConfig } from '../src/config.ts'
import { createLogs } from '../src/infra/log.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { end, endWithUs, freePort, type ServiceProcess, startProcess } from './process.ts'

/** The service as a process of its own with an embedded database, and access to that database. */
export interface Service {
  readonly url: string
  readonly socketPort: number
  readonly process: ServiceProcess
  /** Starts another process on the same data. */
  startBeside(env?: Record<string, string>): Promise<ServiceProcess>
  /** Starts another process that accepts every known token without a check. */
  startTrusting(): Promise<ServiceProcess>
  readonly runtime: Runtime
  /** `DATA_DIR` */
  readonly dataDir: string
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstStartMs: number
  readonly laterStartMs: number
  /** The resident bytes of the service's process, idle after the start. */
  readonly idleBytes: number
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-bench-'))
  await chmod(dataDir, 0o711)
  const [port, socketPort] = [await freePort(), await freePort()]
  const shared = {
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // The issuer and the checks of tokens use the same name of the service.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
  const env = { ...shared, PORT: String(port), SOCKET_PORT: String(socketPort) }

  const first = await startProcess(env)
  await first.stop()
  const later = await startProcess(env)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const idleBytes = await later.residentBytes()
  const config: Config = readConfig(env)
  const runtime = await openRuntime(config, createLogs('error').log)
  return {
    url: later.url,
    socketPort,
    process: later,
    runtime,
    dataDir,
    idleBytes,
    firstStartMs: first.startMs,
    laterStartMs: later.startMs,
    startBeside: (more = {}) => startProcess({ ...shared, ...more }),
    startTrusting: () =>
      startProcess({ ...shared, SOCKET_PORT: '0' }, [path.join(import.meta.dirname, 'trusting-service.ts')]),
    async close() {
      await runtime.cleanups.run()
      await later.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A plain server that sends the current response of `url`, byte for byte, to callers that accept its encoding. */
export async function startPlain(
  url: string,
  accepts = 'identity',
): Promise<{ url: string; bytes: number; stop: () => Promise<void> }> {
  const response = await request(url, { headers: { 'accept-encoding': accepts } })
  const body = Buffer.from(await response.body.arrayBuffer())
  const unsent = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !unsent.has(name)))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'plain-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  child.stdin.end(JSON.stringify({ headers, body: body.toString('base64') }))
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())))
  return { url: `http://127.0.0.1:${port}`, bytes: body.length, stop: () => end(child, 'SIGTERM') }
}
