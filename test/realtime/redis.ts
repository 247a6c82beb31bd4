import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'

/** A Redis or Valkey server for a test: an installed one, else Debian's package. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string
  /** Cuts all connections except that of the caller. */
  cut(): Promise<void>
}

const programs = ['redis-server', 'valkey-server']
const minute = 60_000
/** The time limit in milliseconds when the package must be downloaded. */
export const redisMs = 5 * minute

/**
 * Starts a server; null when none is available, which is reported in one line.
 * @throws Error in CI, where every test must run
 */
export async function startRedis(): Promise<RedisServer | null> {
  const found = await program()
  if ('executable' in found) return start(found.executable)
  const line = `Redis cases do not run: ${found.fault}; install redis-server or valkey-server.`
  if (process.env.CI !== undefined && process.env.CI !== '') throw new Error(line)
  process.stdout.write(`${line}\n`)
  return null
}

async function program(): Promise<{ readonly executable: string } | { readonly fault: string }> {
  const installed = await find()
  if (installed !== null) return { executable: installed }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { fault: 'there is none on the PATH' }
  const apt = (...args: readonly string[]) =>
    promisify(execFile)('apt-get', ['-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 2 * minute,
    })
  const install = () => apt('install', '--yes', '--no-install-recommends', 'redis-server')
  try {
    await install().catch(async () => {
      await apt('update')
      await install()
    })
  } catch {
    return { fault: 'there is none on the PATH, and Debian’s could not be installed' }
  }
  const executable = await find()
  return executable === null ? { fault: 'Debian’s was installed and is not on the PATH' } : { executable }
}

async function find(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute)
  for (const name of programs) {
    for (const folder of folders) {
      const file = path.join(folder, name)
      const isThere = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isThere) return file
    }
  }
  return null
}

async function start(executable: string): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-redis-'))
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn(executable, args, { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  const control = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  control.on('error', () => {})
  await control.ping()
  return {
    url,
    async cut() {
      for (const kind of ['normal', 'pubsub']) await control.call('client', 'kill', 'type', kind, 'skipme', 'yes')
    },
    async [Symbol.asyncDispose]() {
      control.disconnect()
      const ended = once(server, 'exit')
      server.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
