import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type RealBrowser } from '../../../../test/chromium/browser.ts'
import { provisionMs } from '../../../../test/chromium/provide.ts'
import { startFakeWebsite } from '../../../../test/fakes/website.ts'
import { freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { picture, upload } from '../../../../test/media.ts'
import { videoIn, vp8Frame, woff2 } from '../../../../test/media-files.ts'
import { squareFont } from '../../../../test/square-font.ts'
import { readConfig } from '../../../config.ts'

/** Delivery of files to a real browser. (M19, M21) */

let api: Harness
let browser: RealBrowser
// biome-ignore lint/suspicious/noExplicitAny: an answer; each test reads the members that it checks.
let made: Readonly<Record<'picture' | 'webm' | 'mp4' | 'font', any>>
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startAtTwoOrigins(), openBrowser()])
  const ada = await api.user()
  const cup = await makeTournament(api, ada)
  const send = async (kind: string, file: Uint8Array) => {
    const parts = kind.startsWith('overlay') ? { tournament: cup.id, rightsConfirmed: 'true' } : {}
    const reply = await upload(api, ada, file, { kind, ...parts })
    expect([kind, reply.status]).toEqual([kind, 201])
    return reply.body
  }
  const shown = { width: 160, height: 96, hasSound: false }
  made = {
    picture: await send('avatar', await picture({ width: 200, height: 200 })),
    webm: await send('overlay_video', await videoIn('webm', { ...shown, frame: await vp8Frame(160, 96) })),
    mp4: await send('overlay_video', await videoIn('mp4')),
    font: await send('overlay_font', woff2({ tables: squareFont() })),
  }
}, provisionMs)
afterAll(async () => {
  await browser.close()
  await api[Symbol.asyncDispose]()
})

/** The site and its media have different host names of this machine, so a browser treats them as two origins. (M21) */
async function startAtTwoOrigins(): Promise<Harness> {
  const port = await freePort()
  const media = { ...readConfig({}).media, url: `http://localhost:${port}` }
  return startHarness({ port, publicUrl: `http://127.0.0.1:${port}`, media })
}

/** Returns the address at the site, which redirects to the origin of media. */
const atSite = (address: string) => address.replace('//localhost:', '//127.0.0.1:')

test('a file that is opened as a page runs nothing and loads nothing', async () => {
  await using visitor = await browser.visitor(api)
  const asked: string[] = []
  visitor.context.on('request', (request) => asked.push(request.url()))
  const open = async (address: string) => {
    await using page = await visitor.context.newPage()
    asked.length = 0
    // The browser saves a file that it cannot show.
    const reply = await page.goto(address).catch((error: Error) => error.message.split('\n')[0])
    // Waits for anything that the page could load afterwards.
    await page.waitForTimeout(200)
    const found = typeof reply === 'string' ? reply : (reply?.status() ?? null)
    const inside = await page.evaluate('[document.scripts.length, self.origin]')
    return { found, inside, others: asked.filter((url) => url !== address && !url.endsWith('/favicon.ico')) }
  }
  const shown = { found: expect.toBeOneOf([200, 206]), inside: [0, 'null'], others: [] }
  for (const address of [
    made.picture.url,
    made.picture.url.replace('full.webp', '128.png'),
    made.picture.url.replace('full.webp', '64.jpeg'),
    made.webm.url,
    made.mp4.url,
  ]) {
    expect(await open(address), address).toEqual(shown)
  }
  expect(await open(made.font.url)).toEqual({ ...shown, found: expect.stringContaining('Download is starting') })
  expect(visitor.outside).toEqual([])
})

test.each([
  ['from where they are', (address: string) => address],
  ['from where the site sends on to them', atSite],
])('pictures, fonts and videos work on pages of others, %s', async (_, from) => {
  const page = `<title>Elsewhere</title>
    <style>@font-face { font-family: Given; src: url(${from(made.font.url)}) }</style>
    <span style="font: 40px Given, monospace">AAAA</span>
    <img src="${from(made.picture.url)}" crossorigin>
    <video src="${from(made.webm.url)}" crossorigin muted></video>`
  const website = await startFakeWebsite({ '/': page })
  try {
    await using visitor = await browser.visitor(website)
    await visitor.page.goto('/')
    expect(new URL(visitor.page.url()).origin).not.toBe(new URL(api.url).origin)
    await expect.poll(() => visitor.page.evaluate('document.images[0].naturalWidth')).toBe(200)
    expect(await visitor.page.evaluate(useFont)).toEqual({ loaded: 1, width: 160 })
    const { seconds, pixel, ...played } = (await visitor.page.evaluate(playVideo)) as Played
    expect(played).toEqual({ ended: true, width: 160, height: 96 })
    expect(Math.abs(seconds - 2)).toBeLessThan(0.2)
    // A page may read the pixels of a video from another origin only if that origin allows it.
    expect(pixel[0]).toBeGreaterThan(pixel[2] ?? 0)
    expect(visitor.outside).toEqual([])
  } finally {
    await website.close()
  }
})

interface Played {
  readonly ended: boolean
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly pixel: readonly number[]
}

const useFont = `(async () => {
  const faces = await document.fonts.load('40px Given', 'A')
  const { width } = document.querySelector('span').getBoundingClientRect()
  return { loaded: faces.length, width }
})()`

const playVideo = `(async () => {
  const video = document.querySelector('video')
  const ended = new Promise((resolve, reject) => {
    video.onended = resolve
    video.onerror = () => reject(new Error(video.error.message))
    if (video.error !== null) video.onerror()
  })
  await video.play()
  await ended
  const canvas = document.createElement('canvas').getContext('2d')
  canvas.drawImage(video, 0, 0)
  return {
    ended: video.ended, width: video.videoWidth, height: video.videoHeight, seconds: video.duration,
    pixel: [...canvas.getImageData(10, 10, 1, 1).data],
  }
})()`
