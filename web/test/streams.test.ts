import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { provideStreaming } from '../../test/streaming/provide.ts'
import { startWebsite, type Website } from './website.ts'

/** Streams of players, from media servers that the test imitates. (OV19) */

let browser: RealBrowser
let website: Website
let media: MediaServer
beforeAll(async () => {
  media = await MediaServer.start()
  ;[browser, website] = await Promise.all([openBrowser(), startWebsite({ play: [media.url], frames: [media.url] })])
}, provisionMs)
afterAll(async () => {
  await website?.[Symbol.asyncDispose]()
  await browser?.close()
  await media?.close()
})

/** Answers offers through a page of the same browser that sends a picture, and serves the pieces of a recording. */
class MediaServer {
  readonly #server: Server
  readonly #folder: string
  /** The requests so far. */
  readonly asked: string[] = []
  /** The number of WebRTC requests that are still to fail. */
  failures = 0
  publisher: Page | null = null

  private constructor(server: Server, folder: string) {
    this.#server = server
    this.#folder = folder
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  static async start(): Promise<MediaServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'downbeat-hls-'))
    const input = ['-f', 'lavfi', '-i', 'color=c=blue:s=160x90:r=10:d=20']
    const output = [
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '10',
      '-f',
      'hls',
      '-hls_time',
      '2',
      '-hls_list_size',
      '0',
      'index.m3u8',
    ]
    const { ffmpeg } = await provideStreaming()
    await once(spawn(ffmpeg, ['-loglevel', 'error', ...input, ...output], { cwd: folder }), 'close')
    const server = createServer(async (request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'content-type')
      response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
      response.setHeader('access-control-expose-headers', 'location')
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      made.asked.push(`${request.method} ${request.url}`)
      if (request.url === '/whep' && request.method === 'POST') {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        if (made.failures-- > 0 || made.publisher === null) return void response.writeHead(503).end()
        const answer = reachable(await made.publisher.evaluate<string>(answerOf(Buffer.concat(chunks).toString())))
        return void response.writeHead(201, { 'content-type': 'application/sdp', location: '/whep/1' }).end(answer)
      }
      // The player of a streaming site, which sends what the test tells it to; a page of errors sends nothing.
      if (request.url?.startsWith('/player')) {
        const script = `addEventListener('message', ({ data }) => parent.postMessage({ eventName: data }, '*'))`
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>${script}</script>`)
      }
      const file = /^\/(index\.m3u8|index\d+\.ts)$/.exec(request.url ?? '')?.[1]
      const bytes = file === undefined ? null : await readFile(path.join(made.#folder, file)).catch(() => null)
      response.writeHead(bytes === null ? 404 : 200).end(bytes)
    })
    const made = new MediaServer(server, folder)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return made
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const answerOf = (offer: string) => `(async () => {
  const canvas = document.createElement('canvas')
  canvas.width = 160
  canvas.height = 90
  const context = canvas.getContext('2d')
  globalThis.drawing = setInterval(() => {
    context.fillStyle = '#00ff00'
    context.fillRect(0, 0, 160, 90)
    context.fillStyle = '#000'
    context.fillRect(Math.random() * 8, 0, 1, 1)
  }, 50)
  const peer = globalThis.peer = new RTCPeerConnection()
  await peer.setRemoteDescription({ type: 'offer', sdp: ${JSON.stringify(offer)} })
  for (const track of canvas.captureStream(20).getTracks()) peer.addTrack(track)
  await peer.setLocalDescription()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return peer.localDescription.sdp
})()`

/** Replaces the browser's hidden addresses by a real one, as a media server would send it. */
function reachable(answer: string): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const { address } = all.find(({ internal, family }) => !internal && family === 'IPv4') ?? { address: '127.0.0.1' }
  return answer.replace(/[\w-]+\.local/g, address)
}

const stream = (more: object) => ({ live: true, whep: null, llhls: null, hls: null, embed: null, ...more })

/**
 * Opens the page of a match whose first player streams.
 * @param before a script that runs in the page before its own scripts
 */
async function watch(first: object, before = '') {
  const visitor = await browser.visitor(website)
  await visitor.page.addInitScript(before)
  const complaints: string[] = []
  visitor.page.on('console', (message) => complaints.push(message.text()))
  await visitor.page.goto('/?preset=solo&role=gameplay')
  await visitor.page.evaluate(`(() => {
    const { data } = globalThis.opened.sampleOf('solo', Date.now())
    const [one, other] = data.sides
    const players = one.players.map((player) => ({ ...player, stream: ${JSON.stringify(first)} }))
    globalThis.tell.data({ ...data, sides: [{ ...one, players }, other] })
  })()`)
  const seen = () =>
    visitor.page.evaluate(
      '(() => { const v = document.querySelector(".stream.playing video"); return v ? [v.videoWidth, v.muted] : null })()',
    )
  return { ...visitor, complaints, seen }
}

const soon = { interval: 50, timeout: 40_000 }

test('WebRTC first, tried again where it fails, with the sound of the side that is heard alone', async () => {
  const publisher = await browser.visitor(website)
  await publisher.page.goto('/')
  media.publisher = publisher.page
  media.failures = 1
  media.asked.length = 0
  await using watched = await watch(stream({ whep: `${media.url}/whep`, hls: `${media.url}/index.m3u8` }))
  await expect.poll(watched.seen, soon).toEqual([160, false])
  expect(media.asked.filter((each) => !each.startsWith('DELETE'))).toEqual(['POST /whep', 'POST /whep'])
  const control = (change: object) =>
    watched.page.evaluate(`(() => {
      const { control } = globalThis.opened.sampleOf('solo', Date.now())
      const scene = 'scene0006'
      globalThis.tell.control({ ...control, scene, ...${JSON.stringify(change)} })
    })()`)
  await control({ audio: { active: 1, muted: false, volume: 1 } })
  await expect.poll(watched.seen, soon).toEqual([160, true])
  await control({ audio: { active: 0, muted: false, volume: 0.5 } })
  await expect.poll(watched.seen, soon).toEqual([160, false])
  await control({ audio: { active: 0, muted: true, volume: 1 } })
  await expect.poll(watched.seen, soon).toEqual([160, true])
  // The player sends DELETE to its server as soon as the stream ends.
  await watched.page.evaluate('globalThis.tell.data(globalThis.opened.sampleOf("solo", Date.now()).data)')
  await expect.poll(() => media.asked.at(-1), soon).toBe('DELETE /whep/1')
  expect(watched.outside).toEqual([])
  await publisher.close()
})

test('pieces over HTTP where WebRTC is not to be had; who is not seen is shown by their picture', async () => {
  media.publisher = null
  media.asked.length = 0
  await using watched = await watch(stream({ hls: `${media.url}/index.m3u8`, llhls: `${media.url}/none.m3u8` }))
  const isPaused = () => watched.page.evaluate('document.querySelector(".stream video")?.paused')
  const show = (visible: boolean) =>
    watched.page.evaluate(
      `dispatchEvent(new CustomEvent('obsSourceVisibleChanged', { detail: { visible: ${visible} } }))`,
    )
  await expect.poll(isPaused, soon).toBe(false)
  // A source that is hidden while its stream opens has the stream afterwards, but does not play it. (OV18)
  await show(false)
  await expect.poll(watched.seen, soon).toEqual([160, false])
  await expect.poll(isPaused, soon).toBe(true)
  await watched.page.waitForTimeout(300)
  expect(await isPaused()).toBe(true)
  await show(true)
  await expect.poll(isPaused, soon).toBe(false)
  expect(media.asked.filter((each) => each.includes('none'))).toHaveLength(3)
  expect(await watched.page.evaluate('document.querySelectorAll(".stream.playing").length')).toBe(1)
  expect(watched.complaints.filter((words) => /Content Security Policy|Trusted/i.test(words))).toEqual([])
})

test('where the browser lets no sound through, the picture plays without it, and sound is not tried again and again', async () => {
  media.publisher = null
  // Code that a test evaluates counts as a click, so this overrides that.
  const refusing = `{
    globalThis.refusals = 0
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = function () {
      if (this.muted) return play.call(this)
      globalThis.refusals++
      return Promise.reject(new DOMException('', 'NotAllowedError'))
    }
  }`
  await using watched = await watch(stream({ hls: `${media.url}/index.m3u8` }), refusing)
  await expect.poll(watched.seen, soon).toEqual([160, true])
  const refusals = await watched.page.evaluate('globalThis.refusals')
  // Several frames are drawn in this time, and each one sets the sound.
  await watched.page.waitForTimeout(700)
  expect([await watched.seen(), await watched.page.evaluate('globalThis.refusals')]).toEqual([[160, true], refusals])
})

test('a player of another site stays covered until it plays, and again when it is offline', async () => {
  const address = `${media.url}/player?channel=a`
  await using idle = await watch(stream({ live: false, embed: null }))
  await expect.poll(() => idle.page.evaluate('document.querySelectorAll(".stream .initials").length'), soon).toBe(2)
  expect(await idle.page.evaluate('document.querySelectorAll("iframe").length')).toBe(0)
  // Of a channel elsewhere it is not known whether it is live.
  await using watched = await watch(stream({ live: false, embed: address }))
  const frame = () => watched.page.frames().find((each) => each.url() === address)
  await expect.poll(() => frame() !== undefined, soon).toBe(true)
  await frame()?.waitForLoadState('load')
  const isShown = () => watched.page.evaluate('document.querySelectorAll(".stream.playing iframe").length === 1')
  const opacity = () =>
    watched.page.evaluate('getComputedStyle(document.querySelector(".stream .player:has(iframe)")).opacity')
  expect([await isShown(), await opacity()]).toEqual([false, '0'])
  const report = (name: string) =>
    watched.page.evaluate(`document.querySelector('iframe').contentWindow.postMessage('${name}', '*')`)
  // The player is ready before it knows whether the channel is live.
  await report('ready')
  await report('playing')
  await expect.poll(isShown, soon).toBe(true)
  await report('offline')
  await expect.poll(isShown, soon).toBe(false)
})
