import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Manifest, readManifest } from '../web/built.ts'
import { builtFolder } from '../web/sources.ts'
import { acceptedCoding, type Coding } from './content-codings.ts'
import { etagOf, matches } from './etag.ts'

/** Serves the files of the built pages. (W6) */

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

export const htmlType = types['.html'] as string
export const scriptType = types['.js'] as string

export function addAssets(app: FastifyInstance, built: Built): void {
  for (const name of ['licences.txt', 'manifest.webmanifest']) {
    app.get(`/${name}`, async (request, reply) => {
      const bytes = await built.read(name, null)
      if (bytes === null) return reply.callNotFound()
      const type = types[path.extname(name)] as string
      return sendBytes(request, reply, bytes, { 'content-type': type, 'cache-control': 'no-cache' })
    })
  }

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = `assets/${request.params['*']}`
    const encoding = await built.encodingFor(name, request.headers['accept-encoding'])
    const bytes = await built.read(name, encoding)
    if (bytes === null) return reply.callNotFound()
    return sendBytes(request, reply, bytes, {
      'content-type': types[path.extname(name)] ?? 'application/octet-stream',
      // The name of a file changes with its content.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding !== null && { 'content-encoding': encoding }),
    })
  })
}

/** Answers with the bytes and their tag, or with 304 to a browser that has them. */
export function sendBytes(
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
export class Built {
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
    return read.catch((error: NodeJS.ErrnoException) => {
      this.#files.delete(file)
      if (error.code !== 'ENOENT') throw error
      // The pages were built anew, and these are gone.
      this.#manifest = undefined
      this.#files.clear()
      return null
    })
  }

  /** The file whose name has a digest in it. */
  async named(pattern: RegExp): Promise<string | undefined> {
    return Object.keys((await this.#read())?.files ?? {}).find((name) => pattern.test(name))
  }

  async #read(): Promise<Manifest | null> {
    this.#manifest ??= readManifest()
    const manifest = await this.#manifest
    // The pages may be built while the service runs.
    if (manifest === null) this.#manifest = undefined
    return manifest
  }

  /** null for a file that is not in the manifest. */
  async #encodings(name: string): Promise<readonly Coding[] | null> {
    const manifest = await this.#read()
    return manifest !== null && Object.hasOwn(manifest.files, name) ? (manifest.files[name] ?? null) : null
  }
}
