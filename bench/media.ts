import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import path from 'node:path'
import sharp from 'sharp'
import { mediaUrl } from '../src/core/media.ts'
import { yieldToOthers } from '../src/infra/decoder/process.ts'
import { objectName } from '../src/infra/storage/storage.ts'
import { decode } from './decoding.ts'
import { during, inTurns, load, loop, median, pace, percentile } from './load.ts'
import { end, endWithUs } from './process.ts'
import { below, type Row, ratio, told } from './report.ts'
import { type Sending, sendPicture } from './sender.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments, type Player } from './world.ts'

const pictureBytes = 40_000
const videoBytes = 64 * 1024 * 1024
const rangeBytes = 4 * 1024 * 1024
const [seconds, connections] = [3, 32]

/** Delivers stored files: a whole picture, and ranges of a video. Compared with `node:http` streaming the same file. */
export async function delivery(service: Service): Promise<Row[]> {
  const picture = await keep(service, 'overlay_image', 'image/webp', pictureBytes)
  const video = await keep(service, 'overlay_video', 'video/webm', videoBytes)
  const [ofPicture, ofVideo] = [await startFiles(picture), await startFiles(video)]
  const whole = (url: string) => () =>
    load(
      url,
      during(seconds, () => ({ path: pathOf(picture.url) })),
      connections,
    )
  const ranges = (url: string) => () =>
    loop(
      during(seconds, () => () => readRange(url + pathOf(video.url))),
      4,
    )
  const pictures = await inTurns(whole(service.url), whole(ofPicture.url), 3)
  const parts = await inTurns(ranges(service.url), ranges(ofVideo.url), 3)
  await Promise.all([ofPicture.stop(), ofVideo.stop()])
  const streaming = 'plain node:http streaming the same file'
  return [
    ratio('delivery of a picture of 40 kB', streaming, pictures, 0.6),
    ratio('delivery of a video of 64 MB, in ranges of 4 MB', streaming, parts, 0.8),
  ]
}

/**
 * Uploads a photograph of 4 MB, which is decoded and stored. Compared with the decoding library alone, in the
 * benchmark's process.
 */
export async function uploads(service: Service): Promise<Row[]> {
  const sender = await makeSender(service)
  const photograph = await photographOf(4_000_000)
  sharp.concurrency(1)
  sharp.cache(false)
  const ours = () =>
    loop(
      rounds(() => sendPicture({ ...sendingOf(service, sender), picture: photograph })),
      1,
    )
  const alone = () =>
    loop(
      rounds(() => decode(photograph)),
      1,
    )
  const measured = await inTurns(ours, alone, 3)
  const beside = await readsBeside(service, sender, photograph)
  // An upload may take at most one and a half times as long as the library.
  return [
    ratio('upload of a JPEG of 4 MB, from its first byte to the answer', '`sharp` alone', measured, 0.67),
    ...beside,
  ]
}

const readsPerSecond = 200
const uploadsAtOnce = 10

/**
 * The time of reads during many uploads, compared with the same reads without them. The reader, the sender and the
 * service are separate processes. The row without a bound runs only the decoding library next to the reads: the same
 * photograph, one at a time, with the priority that the service gives it. It shows how much of the delay comes from
 * sharing the cores.
 */
async function readsBeside(service: Service, sender: Sender, photograph: Buffer): Promise<Row[]> {
  const card = `/api/users/${sender.player.guid}/card`
  const picture = path.join(service.dataDir, 'photograph.jpeg')
  await writeFile(picture, photograph)
  const reads = async () => {
    const requests = Array.from({ length: readsPerSecond * 5 }, () => ({ path: card }))
    const answered = await pace(service.url, requests, readsPerSecond, 16)
    return percentile(
      answered.map(({ dueAt, answeredAt }) => answeredAt - dueAt),
      0.99,
    )
  }
  const readsWhile = async (start: () => Promise<ChildProcess>, signal: 'SIGTERM' | 'SIGKILL') => {
    const child = await start()
    const took = await reads()
    await end(child, signal)
    if (child.exitCode !== 0 && signal === 'SIGTERM') throw new Error('whoever sends has failed')
    return took
  }
  const library = () => startBeside('decoding.ts', [picture])
  const uploads = () => startBeside('sender.ts', [], { ...sendingOf(service, sender), picture, atOnce: uploadsAtOnce })
  await reads()
  const took: { without: number[]; library: number[]; uploads: number[] } = { without: [], library: [], uploads: [] }
  for (let turn = 0; turn < 3; turn++) {
    took.without.push(await reads())
    took.library.push(await readsWhile(library, 'SIGKILL'))
    took.uploads.push(await readsWhile(uploads, 'SIGTERM'))
  }
  const [without, beside] = [median(took.without), median(took.uploads)]
  const figures = (ms: number) => `${ms.toFixed(1)} ms against ${without.toFixed(1)} ms`
  const alone = median(took.library)
  return [
    told(
      'p99 of hot reads while `sharp` alone decodes at the priority of the service’s decoder',
      'the same without',
      (alone / without).toFixed(2),
      figures(alone),
    ),
    below(
      `p99 of hot reads while ${uploadsAtOnce} uploads run`,
      'the same without',
      beside / without,
      2,
      '',
      figures(beside),
    ),
  ]
}

/**
 * Starts another program of the benchmark, with the low priority of the service's decoder: a real sender is on another
 * machine, and takes no processor time from the reads.
 */
async function startBeside(program: string, args: readonly string[], sending?: Sending): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  endWithUs(child)
  yieldToOthers(child.pid)
  if (sending !== undefined) child.stdin.write(`${JSON.stringify(sending)}\n`)
  await once(child.stdout, 'data')
  return child
}

function rounds(work: () => Promise<void>): () => (() => Promise<void>) | undefined {
  let left = 6
  return () => (left-- > 0 ? work : undefined)
}

interface Sender {
  readonly player: Player
  readonly tournament: string
}

async function makeSender({ runtime }: Service): Promise<Sender> {
  const player = await makePlayer(runtime)
  const [tournament = ''] = await makeTournaments(runtime, player.guid, 1)
  return { player, tournament }
}

function sendingOf({ url }: Service, { player, tournament }: Sender) {
  return { url, token: player.token, tournament }
}

/** A photograph of about so many bytes: shapes with some grain. */
async function photographOf(bytes: number): Promise<Buffer> {
  const grain = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#000', noise: grain } })
  for (let quality = 20; ; quality += 5) {
    const made = await picture.clone().blur(1).jpeg({ quality }).toBuffer()
    if (made.length >= bytes || quality >= 95) return made
  }
}

interface KeptFile {
  readonly url: string
  readonly file: string
}

/** A record with a file that was never decoded, because delivery does not read its content. */
async function keep(
  { runtime, dataDir, url }: Service,
  kind: 'overlay_image' | 'overlay_video',
  type: 'image/webp' | 'video/webm',
  bytes: number,
): Promise<KeptFile> {
  const content = randomBytes(bytes)
  const digest = createHash('sha256').update(content).digest()
  const file = path.join(dataDir, 'media', objectName(digest.toString('hex')))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
  const { rows } = await runtime.database.pool.query<{ guid: string }>(
    `insert into media (kind, name, type, bytes, digest, upload_digest) values ($1, 'bench', $2, $3, $4, $4) returning guid`,
    [kind, type, bytes, digest],
  )
  return { url: mediaUrl(url, rows[0]?.guid ?? '', type), file }
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

const agent = new Agent({ keepAlive: true })

function readRange(url: string): Promise<void> {
  const first = Math.floor(Math.random() * (videoBytes / rangeBytes)) * rangeBytes
  const headers = { range: `bytes=${first}-${first + rangeBytes - 1}` }
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 206) reject(new Error(`a range was answered ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

/** A server that streams the file with the headers of the service. */
async function startFiles({ url, file }: KeptFile): Promise<{ url: string; stop: () => Promise<void> }> {
  const response = await fetch(url, { method: 'HEAD' })
  const unsent = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !unsent.has(name)))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'file-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  child.stdin.end(JSON.stringify({ headers, file }))
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())))
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child, 'SIGTERM') }
}
