import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { build } from 'vite'
import { overlayPolicy } from '../../src/infra/http/page-policy.ts'

/** The built page with data from the test, under the policy of the service. */

const root = path.join(import.meta.dirname, 'page')

/** One second of a still picture, 160 by 90, made by `ffmpeg -f lavfi -i smptehdbars=s=160x90:r=2:d=1 -c:v libvpx`. */
const video = path.join(import.meta.dirname, 'bars.webm')

export interface Website extends AsyncDisposable {
  readonly url: string
  /** Imitates the mirror of the service. */
  readonly mirror: Mirror
}

/** Pictures of other sites, by their addresses there. (M26) */
interface Mirror {
  /** The address of every request. */
  readonly asked: string[]
  /** The addresses that have been fetched. */
  readonly kept: Set<string>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

export interface WebsiteOptions {
  /** The hosts of media servers. */
  readonly play?: readonly string[]
  readonly frames?: readonly string[]
}

export async function startWebsite({ play = [], frames = [] }: WebsiteOptions = {}): Promise<Website> {
  const folder = await mkdtemp(path.join(tmpdir(), 'downbeat-overlay-'))
  await build({
    configFile: path.join(import.meta.dirname, '../vite.config.ts'),
    root,
    build: { outDir: folder, rollupOptions: { input: path.join(root, 'index.html') } },
  })
  const mirror: Mirror = { asked: [], kept: new Set() }
  const server = createServer(async (request, response) => {
    const { pathname, origin } = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const sample = /^\/media\/sample\/([\w-]+)$/.exec(pathname)?.[1]
    if (sample !== undefined) {
      response.writeHead(200, { 'content-type': 'image/webp' }).end(await picture(sample))
      return
    }
    const remote = /^\/media\/remote\/([\w-]+)$/.exec(pathname)?.[1]
    if (remote !== undefined) {
      const address = Buffer.from(remote, 'base64url').toString()
      mirror.asked.push(address)
      if (mirror.kept.has(address)) {
        const headers = { 'content-type': 'image/webp', 'cache-control': 'public, max-age=86400' }
        response.writeHead(200, headers).end(await picture(address))
      } else response.writeHead(404, { 'cache-control': 'private, no-store' }).end()
      return
    }
    const media = /^\/media\/([\da-f-]{36})\/full\.(webp|webm)$/.exec(pathname)
    if (media !== null) {
      const isVideo = media[2] === 'webm'
      response.writeHead(200, { 'content-type': isVideo ? 'video/webm' : 'image/webp' })
      response.end(await (isVideo ? readFile(video) : picture(media[1] ?? '')))
      return
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const file = await readFile(path.join(folder, name)).catch(() => null)
    if (file === null || name.includes('..')) {
      response.writeHead(404).end()
      return
    }
    response
      .writeHead(200, {
        'content-type': types[path.extname(name)] ?? 'application/octet-stream',
        'content-security-policy': overlayPolicy({ socketUrl: origin, mediaUrl: origin, play, frames }),
        'referrer-policy': 'no-referrer',
      })
      .end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mirror,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A picture that looks like the cover of a song, or like a person. */
async function picture(name: string): Promise<Buffer> {
  const number = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7)
  const hue = (at: number) =>
    `hsl(${(number * 47 + at * 70) % 360} ${45 + (number % 30)}% ${35 + ((number + at) % 25)}%)`
  const circles = Array.from({ length: 5 }, (_, index) => {
    const at = (factor: number) => (number * factor * (index + 3)) % 256
    return `<circle cx="${at(7)}" cy="${at(13)}" r="${24 + (at(3) % 70)}" fill="${hue(index + 1)}" fill-opacity=".55"/>`
  }).join('')
  const face = name.startsWith('player') || name.startsWith('caster')
  const person = `<circle cx="128" cy="104" r="52" fill="${hue(3)}"/><rect x="44" y="170" width="168" height="120" rx="80" fill="${hue(3)}"/>`
  // One of them has transparent parts, like a logo.
  const ground = name.endsWith('-000000000005') ? '' : `<rect width="256" height="256" fill="${hue(0)}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">${ground}${face ? person : circles}</svg>`
  return sharp(Buffer.from(svg)).webp().toBuffer()
}
