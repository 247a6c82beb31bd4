import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startChild } from './child.ts'
import { provideStreaming } from './provide.ts'

/** A real encoder: ffmpeg with a test picture and a tone, small enough for a machine that runs other tests. */

export interface Encoder extends AsyncDisposable {
  /** Resolves when it has ended for any reason, with its output. */
  readonly ended: Promise<EncoderEnd>
  readonly isRunning: boolean
  /** Stops like a user: it sends a goodbye to the server. */
  stop(): Promise<EncoderEnd>
  /** Stops like a machine without power: its connection breaks. */
  kill(): Promise<EncoderEnd>
}

export interface EncoderEnd {
  /** 0 after a goodbye; another number when the server refused or cut it; null when it was killed. */
  readonly code: number | null
  readonly said: string
}

const size = '320x180'
const fps = 10

/** @param address with the key: `rtmp://host/live/{key}` */
export async function startEncoder(address: string): Promise<Encoder> {
  const { ffmpeg } = await provideStreaming()
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${fps}`]
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=22050']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p']
  const rate = ['-g', String(fps), '-b:v', '100k', '-threads', '1']
  const sound = ['-c:a', 'aac', '-b:a', '32k']
  const args = ['-hide_banner', '-nostats', '-loglevel', 'error', '-re', ...picture, '-re', ...tone]
  const child = startChild(ffmpeg, [...args, ...video, ...rate, ...sound, '-f', 'flv', address], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // Writing to an ended process is no error.
  child.stdin?.on('error', () => {})
  let isRunning = true
  const ended = endOf(child).finally(() => {
    isRunning = false
  })
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  return {
    ended,
    get isRunning() {
      return isRunning
    },
    stop() {
      child.stdin?.end('q')
      return ended
    },
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
    },
  }
}

/** Watches a stream for a second. */
export async function watchByRtmp(address: string): Promise<EncoderEnd> {
  const { ffmpeg } = await provideStreaming()
  // Without the limits it would analyse five seconds of the stream first.
  const input = ['-probesize', '20000', '-analyzeduration', '500000', '-i', address]
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', ...input, '-t', '1', '-c', 'copy', '-f', 'null', '-']
  return endOf(startChild(ffmpeg, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
}

async function endOf(child: ChildProcess): Promise<EncoderEnd> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, said }
}
