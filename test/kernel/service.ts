import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../harness.ts'

/** The service for operators: a process with its environment, output and exit. */

export const program = path.join(import.meta.dirname, '../../bin/downbeat.js')

export type Env = Readonly<Record<string, string>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

interface Process {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly exit: Promise<Exit>
}

const root = path.join(import.meta.dirname, '../..')

/** Only the variables that find programs and files are passed on from the test's environment. */
function start(args: readonly string[], env: Env, npm = false): Process {
  const { PATH = '', HOME = '/' } = process.env
  const startedAt = performance.now()
  const [command, ...rest] = npm ? ['npm', 'run', ...args] : [process.execPath, program, ...args]
  const child = spawn(command, rest, {
    cwd: npm ? root : os.tmpdir(),
    // The first variable is set as by `npm start`, also for processes that are started without it.
    env: {
      MALLOC_ARENA_MAX: '2',
      PATH,
      HOME,
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk
  })
  const exit = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    ...output,
    ms: performance.now() - startedAt,
  }))
  return { child, output, exit }
}

const maxCommandMs = 25_000

/** Runs a command to its end; it is killed when it takes too long. */
export async function run(args: readonly string[], env: Env): Promise<Exit> {
  const { child, exit } = start(args, env)
  const overdue = setTimeout(() => child.kill('SIGKILL'), maxCommandMs)
  return exit.finally(() => clearTimeout(overdue))
}

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly output: { readonly stdout: string; readonly stderr: string }
  readonly exit: Promise<Exit>
  signal(signal: NodeJS.Signals): void
}

/**
 * Resolves when the service answers.
 * @param npm whether to start it by `npm start`; signals then go to npm, and the exit comes when both have ended
 */
export async function startService(env: Env, npm = false): Promise<Service> {
  const port = env.PORT ?? String(await freePort())
  const { child, output, exit } = start(
    [npm ? 'start' : 'serve'],
    { PORT: port, SOCKET_PORT: '0', RATE_LIMITS: 'off', ...env },
    npm,
  )
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${output.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    output,
    exit,
    signal: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await exit
    },
  }
}

/** The lines of a log, which are JSON objects, without the service's greeting. */
export function logLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** The process id of an embedded cluster. */
export function clusterPid(cluster: string): number {
  return Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
}
