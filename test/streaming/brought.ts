import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ControlAddress } from '../../src/infra/clients/media-servers/types.ts'
import { freePort } from '../harness.ts'
import { startChild } from './child.ts'
import type { NginxOptions } from './nginx.ts'

/**
 * Real media servers that neither Debian nor npm provides, from given programs:
 * `STREAM_SERVERS=mediamtx=/path/to/it,srs=…`. They run with the configurations that docs/streaming publishes, on
 * loopback, and accept only RTMP.
 */

export const broughtKinds = ['mediamtx', 'ovenmediaengine', 'srs'] as const
export type BroughtKind = (typeof broughtKinds)[number]

export interface BroughtServer {
  readonly kind: BroughtKind
  /** The path of its program. */
  readonly program: string
}

/** @throws Error when the text is no list of kinds with programs */
export function readBrought(text: string | undefined): BroughtServer[] {
  if (text === undefined || text.trim() === '') return []
  return text.split(',').map((entry) => {
    const [name = '', ...rest] = entry.trim().split('=')
    const kind = broughtKinds.find((known) => known === name)
    const program = rest.join('=')
    if (kind === undefined || !path.isAbsolute(program)) {
      throw new Error(`STREAM_SERVERS holds ${entry}: write kind=/path, with one of ${broughtKinds.join(', ')}.`)
    }
    return { kind, program }
  })
}

export interface RunningServer extends AsyncDisposable {
  readonly control: ControlAddress
  /** The server address for an encoder. */
  readonly rtmpUrl: string
}

interface Setting {
  readonly file: string
  /** Replacements in the published configuration; an empty text removes the original. */
  readonly changes: readonly (readonly [string | RegExp, string])[]
  readonly args: (folder: string) => readonly string[]
  readonly control: Omit<ControlAddress, 'url'>
}

const nobody = { user: null, password: null, vhost: null, app: null }

/** The replacements change the ports, and remove parts that would need certificates or more ports. */
const settings: Readonly<Record<BroughtKind, (rtmp: number, control: number, other: number) => Setting>> = {
  mediamtx: (rtmp, control, other) => ({
    file: 'mediamtx.yml',
    changes: [
      ['apiAddress: 127.0.0.1:9997', `apiAddress: 127.0.0.1:${control}`],
      ['rtmpAddress: :1935', `rtmpAddress: 127.0.0.1:${rtmp}`],
      ['hlsAddress: :8888', `hlsAddress: 127.0.0.1:${other}`],
      ['srt: true', 'srt: false'],
      ['webrtc: true', 'webrtc: false'],
    ],
    args: (folder) => [path.join(folder, 'mediamtx.yml')],
    control: nobody,
  }),
  ovenmediaengine: (rtmp, control, other) => ({
    file: 'Server.xml',
    changes: [
      ['<IP>*</IP>', '<IP>127.0.0.1</IP>'],
      ['{token}', 'the-token'],
      ['<Port>8081</Port>', `<Port>${control}</Port>`],
      ['<Port>1935</Port>', `<Port>${rtmp}</Port>`],
      ['<Port>3333</Port>', `<Port>${other}</Port>`],
      [/<TLSPort>.*?<\/TLSPort>/g, ''],
      [/<TLS>.*?<\/TLS>/gs, ''],
      [/<SRT>.*?<\/SRT>|<SRT \/>/gs, ''],
      [/<WebRTC>.*?<\/WebRTC>/gs, ''],
      [/<StunServer>.*?<\/StunServer>/g, ''],
    ],
    args: (folder) => ['-c', folder],
    control: { ...nobody, password: 'the-token', vhost: 'default', app: 'live' },
  }),
  srs: (rtmp, control, other) => ({
    file: 'srs.conf',
    changes: [
      [/^listen {14}1935;/m, `listen              127.0.0.1:${rtmp};`],
      ['listen          127.0.0.1:1985;', `listen          127.0.0.1:${control};`],
      ['listen          8080;', `listen          127.0.0.1:${other};`],
      ['{user}', 'admin'],
      ['{password}', 'of-srs'],
      ['./objs/nginx/html', '{folder}/html'],
      [/^srt_server \{.*?^\}/ms, ''],
      [/^rtc_server \{.*?^\}/ms, ''],
    ],
    args: (folder) => ['-c', path.join(folder, 'srs.conf')],
    control: { ...nobody, user: 'admin', password: 'of-srs' },
  }),
}

/** @throws Error when it does not start */
export async function startBrought({ kind, program }: BroughtServer, options: NginxOptions): Promise<RunningServer> {
  const [rtmp, control, other] = [await freePort(), await freePort(), await freePort()]
  const setting = settings[kind](rtmp, control, other)
  const folder = await mkdtemp(path.join(os.tmpdir(), `downbeat-${kind}-`))
  await mkdir(path.join(folder, 'html'))
  await writeFile(path.join(folder, setting.file), await configuration(kind, setting, folder, options))
  let said = ''
  const server = startChild(program, setting.args(folder), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
    })
  }
  const ended = once(server, 'exit')
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  for (const port of [rtmp, control]) {
    const until = Date.now() + 30_000
    while (!(await answers(port))) {
      if (server.exitCode !== null || Date.now() > until) {
        await stop()
        throw new Error(`${kind} did not start: ${said}`)
      }
      await wait(50)
    }
  }
  return {
    control: { ...setting.control, url: `http://127.0.0.1:${control}` },
    rtmpUrl: `rtmp://127.0.0.1:${rtmp}/live`,
    [Symbol.asyncDispose]: stop,
  }
}

/** The published configuration with these replacements. @throws Error when a text to replace is missing */
export async function configuration(
  kind: BroughtKind,
  { file, changes }: Pick<Setting, 'file' | 'changes'>,
  folder: string,
  { baseUrl, server, secret }: NginxOptions,
): Promise<string> {
  const page = path.join(import.meta.dirname, `../../docs/streaming/${kind}.md`)
  const published = new RegExp(`\`${file}\`:\n\n\`\`\`\\w+\n(.*?)\`\`\``, 's').exec(await readFile(page, 'utf8'))?.[1]
  if (published === undefined) throw new Error(`${page} has no configuration`)
  const all = [...changes, ['{base_url}', baseUrl], ['{server}', server], ['{secret}', secret]] as const
  const changed = all.reduce((text, [from, to]) => {
    if (typeof from === 'string' ? !text.includes(from) : text.search(from) === -1) {
      throw new Error(`the configuration in ${page} has no ${from}`)
    }
    return text.replaceAll(
      typeof from === 'string' ? from : new RegExp(from.source, `${from.flags.replace('g', '')}g`),
      to,
    )
  }, published)
  return changed.replaceAll('{folder}', folder)
}

/** The replacements of a kind, for a test that checks them. */
export function settingOf(kind: BroughtKind): Setting {
  return settings[kind](1, 2, 3)
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
