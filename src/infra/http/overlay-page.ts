import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../core/html.ts'
import { type Manifest, readManifest } from '../web/built.ts'
import { builtFolder } from '../web/sources.ts'
import { acceptedCoding, type Coding } from './codings.ts'
import { etagOf, matches } from './etag.ts'

/** The page that broadcasting programs show overlays by, and the files that it consists of. (OV16, OV17) */

/** What the page may speak to beside this service. */
export interface Reached {
  readonly socketUrl: string
  readonly mediaUrl: string
  /** Origins of media servers whose streams are shown. */
  readonly play: readonly string[]
  /** Origins of players on the streaming site, for who streams there. */
  readonly frames: readonly string[]
}

/** It brings its own scripts, styles and fonts, and speaks to this service, its media and its media servers alone. (W6) */
export function overlayPolicy({ socketUrl, mediaUrl, play, frames }: Reached): string {
  const [socket, media] = [new URL(socketUrl).origin, new URL(mediaUrl).origin]
  const sources = (...origins: readonly string[]) => [...new Set(origins)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `font-src ${sources("'self'", media)}`,
    `img-src ${sources("'self'", 'blob:', media)}`,
    `media-src ${sources('blob:', media, ...play)}`,
    `connect-src ${sources("'self'", socket, media, ...play)}`,
    `frame-src ${frames.length === 0 ? "'none'" : sources(...frames)}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Where nothing was built there is nothing to be seen: whoever is on air shows no error. (OV17) */
const nothing = '<!doctype html><html lang="en"><title>The pages are not built: run npm ci</title></html>'

/** @param reached as it is now: media servers come and go */
export function addOverlayPage(app: FastifyInstance, reached: () => Promise<Reached>): void {
  const built = new Built()

  app.get('/overlay/live', async (request, reply) => {
    const sources = await reached()
    const page = await built.read('overlay/index.html', null)
    const text = (page?.toString() ?? nothing)
      .replace('SOCKET_URL', html`${sources.socketUrl}`.text)
      .replace('MEDIA_URL', html`${sources.mediaUrl}`.text)
    if (page === null) reply.code(503)
    return answer(request, reply, Buffer.from(text), {
      'content-type': types['.html'] as string,
      'cache-control': page === null ? 'no-store' : 'no-cache',
      'content-security-policy': overlayPolicy(sources),
    })
  })

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = `assets/${request.params['*']}`
    const encoding = await built.encodingFor(name, request.headers['accept-encoding'])
    const bytes = await built.read(name, encoding)
    if (bytes === null) return reply.callNotFound()
    return answer(request, reply, bytes, {
      'content-type': types[path.extname(name)] ?? 'application/octet-stream',
      // Its name is another as soon as anything in it is.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding !== null && { 'content-encoding': encoding }),
    })
  })
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const etag = tagOf(bytes)
  reply.headers({ ...headers, etag })
  const isKnown = reply.statusCode === 200 && matches(request.headers['if-none-match'], etag)
  return isKnown ? reply.code(304).removeHeader('content-type').send() : reply.send(bytes)
}

/** Files are kept, and their tags with them: making one anew takes as long as the file is large. */
const tags = new WeakMap<Buffer, string>()

function tagOf(bytes: Buffer): string {
  const etag = tags.get(bytes) ?? etagOf(bytes)
  tags.set(bytes, etag)
  return etag
}

/** The files that were built, and no others: names are looked up, and never walked. Read once, and kept. */
class Built {
  #manifest: Promise<Manifest | null> | undefined
  readonly #files = new Map<string, Promise<Buffer>>()

  /** Of those that were made of the file; null for the file as it is. */
  async encodingFor(name: string, accepted: string | undefined): Promise<Coding | null> {
    const { coding } = acceptedCoding(accepted)
    const there = await this.#encodings(name)
    return there?.find((encoding) => encoding === coding) ?? null
  }

  /** null where there is no such file. */
  async read(name: string, encoding: Coding | null): Promise<Buffer | null> {
    if ((await this.#encodings(name)) === null) return null
    const file = `${name}${encoding === null ? '' : endings[encoding]}`
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const read = readFile(path.join(builtFolder, file))
    this.#files.set(file, read)
    read.catch(() => this.#files.delete(file))
    return read
  }

  /** null for a file that was not built. */
  async #encodings(name: string): Promise<readonly Coding[] | null> {
    this.#manifest ??= readManifest()
    const manifest = await this.#manifest
    // It may be built while the service runs.
    if (manifest === null) this.#manifest = undefined
    return manifest !== null && Object.hasOwn(manifest.files, name) ? (manifest.files[name] ?? null) : null
  }
}
