import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../harness.ts'
import { startChild } from './child.ts'
import { provideStreaming } from './provide.ts'

/** The real nginx with its RTMP module, with the configuration that docs/streaming publishes, on loopback. */

export interface RealNginx extends AsyncDisposable {
  /** The server address for an encoder. */
  readonly rtmpUrl: string
  /** The address below which viewers find `/{path}.m3u8`. */
  readonly hlsUrl: string
  /** The control address. */
  readonly controlUrl: string
  /** The content of its error log. */
  log(): Promise<string>
  /** The names of the files that it has written for viewers. */
  files(): Promise<readonly string[]>
  /** Kills it immediately, like a machine that goes down, without any report. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface NginxOptions {
  /** The address of the service: `http://127.0.0.1:{port}` */
  readonly baseUrl: string
  /** GUID of its record. */
  readonly server: string
  readonly secret: string
}

/** The user id `nobody`, with which servers run that are started by root. */
const nobody = 65_534

const page = path.join(import.meta.dirname, '../../docs/streaming/nginx-rtmp.md')

/** @throws Error when nginx is not available, or does not start */
export async function startNginx(options: NginxOptions): Promise<RealNginx> {
  const { nginx, rtmpModule } = await provideStreaming()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-nginx-'))
  const isRoot = process.getuid?.() === 0
  await mkdir(path.join(folder, 'temp'))
  if (isRoot) for (const name of ['.', 'temp']) await chown(path.join(folder, name), nobody, nobody)
  await makeStreams(folder, isRoot)
  const [rtmp, pushed, hls, control] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, await configuration({ ...options, folder, rtmp, pushed, hls, control, rtmpModule }))

  const errors = path.join(folder, 'error.log')
  const server = startChild(nginx, ['-e', errors, '-p', folder, '-c', file], {
    stdio: 'ignore',
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  })
  const ended = once(server, 'exit')
  const log = () => readFile(errors, 'utf8').catch(() => '')
  const finish = async (signal: NodeJS.Signals) => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill(signal)
      await ended
    }
  }
  const stop = async () => {
    await finish('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await listening([rtmp, hls, control], server)
  } catch {
    const told = await log()
    await stop()
    throw new Error(`nginx did not start: ${told}`)
  }
  return {
    rtmpUrl: `rtmp://127.0.0.1:${rtmp}/live`,
    hlsUrl: `http://127.0.0.1:${hls}`,
    controlUrl: `http://127.0.0.1:${control}`,
    log,
    files: () => readdir(path.join(folder, 'streams'), { recursive: true }),
    kill: () => finish('SIGKILL'),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

interface Places {
  readonly folder: string
  readonly rtmp: number
  readonly pushed: number
  readonly hls: number
  readonly control: number
  readonly rtmpModule: string | null
}

/** Creates the folder of streams with the command of the page, for another place and user. */
async function makeStreams(folder: string, isRoot: boolean): Promise<void> {
  const command = /^install -d -o www-data -g www-data (.*)$/m.exec(await readFile(page, 'utf8'))?.[1]
  if (command === undefined) throw new Error(`${page} does not make the folder of streams`)
  const owner = isRoot ? ['-o', String(nobody), '-g', String(nobody)] : []
  await promisify(execFile)('install', ['-d', ...owner, ...command.replace('/var/lib/nginx', folder).split(' ')])
}

/** The published configuration with the changes that an ordinary user and a shared machine need. */
async function configuration({ baseUrl, server, secret, ...places }: NginxOptions & Places): Promise<string> {
  const { folder, rtmp, pushed, hls, control, rtmpModule } = places
  const published = /```nginx\n(.*?)```/s.exec(await readFile(page, 'utf8'))?.[1]
  if (published === undefined) throw new Error(`${page} has no configuration`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  )
  const changes: readonly (readonly [string, string])[] = [
    ['{base_url}', baseUrl],
    ['{server}', server],
    ['{secret}', secret],
    ['listen 1935;', `listen 127.0.0.1:${rtmp};`],
    ['127.0.0.1:1936', `127.0.0.1:${pushed}`],
    ['listen 8080;', `listen 127.0.0.1:${hls};`],
    ['listen 127.0.0.1:8081;', `listen 127.0.0.1:${control};`],
    ['user www-data;', ''],
    ['/var/lib/nginx', folder],
    ['/var/log/nginx', folder],
    ['load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;', rtmpModule === null ? '' : `load_module ${rtmpModule};`],
    // A single process, which ends with its parent.
    ['worker_processes 1;', `worker_processes 1; daemon off; master_process off; pid ${folder}/pid;`],
    ['http {\n', `http {\n${temporary.join('\n')}\n`],
  ]
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration in ${page} has no ${from}`)
    return text.replaceAll(from, to)
  }, published)
}

async function listening(ports: readonly number[], server: ChildProcess): Promise<void> {
  for (const port of ports) {
    while (!(await answers(port))) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error('it has ended')
      await wait(20)
    }
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect').then(
    () => {
      socket.destroy()
      return true
    },
    () => false,
  )
}
