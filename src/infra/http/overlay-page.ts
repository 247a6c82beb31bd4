import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../core/html.ts'
import { type Manifest, readManifest } from '../web/built.ts'
import { builtFolder } from '../web/sources.ts'
import { acceptedCoding, type Coding } from './content-codings.ts'
import { etagOf, matches } from './etag.ts'

/** Serves the page with which broadcasting programs show overlays, and its files. (OV16, OV17) */

/** The other addresses that the page may connect to. */
export interface Reached {
  readonly socketUrl: string
  readonly mediaUrl: string
  /** Origins of the media servers whose streams the page shows. */
  readonly play: readonly string[]
  /** Origins of the streaming site's player, for streamers there. */
  readonly frames: readonly string[]
}

/**
 * The page has its own scripts, styles and fonts, and connects only to this service, its media and its media servers.
 * (W6)
 */
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

/** If the pages are not built, the page stays empty: an overlay on air must not show an error. (OV17) */
const nothing = '<!doctype html><html lang="en"><title>The pages are not built: run npm ci</title></html>'

/** @param reached the current addresses: media servers are added and removed */
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
      // The name of a file changes with its content.
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

/** The tags of cached files: computing one takes time in proportion to the size of the file. */
const tags = new WeakMap<Buffer, string>()

function tagOf(bytes: Buffer): string {
  const etag = tags.get(bytes) ?? etagOf(bytes)
  tags.set(bytes, etag)
  return etag
}

/**
 * Serves only the built files: names are looked up in the manifest, and never in the file system. Files are read once
 * and cached.
 */
class Built {
  #manifest: Promise<Manifest | null> | undefined
  readonly #files = new Map<string, Promise<Buffer>>()

  /** The accepted one of the encodings that were built for the file; null for the uncompressed file. */
  async encodingFor(name: string, accepted: string | undefined): Promise<Coding | null> {
    const { coding } = acceptedCoding(accepted)
    const there = await this.#encodings(name)
    return there?.find((encoding) => encoding === coding) ?? null
  }

  /** null where the file does not exist. */
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

  /** null for a file that is not in the manifest. */
  async #encodings(name: string): Promise<readonly Coding[] | null> {
    this.#manifest ??= readManifest()
    const manifest = await this.#manifest
    // The pages may be built while the service runs.
    if (manifest === null) this.#manifest = undefined
    return manifest !== null && Object.hasOwn(manifest.files, name) ? (manifest.files[name] ?? null) : null
  }
}
