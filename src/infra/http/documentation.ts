import type { FastifyInstance } from 'fastify'
import type { Threads } from '../threads/threads.ts'
import { type Ready, sendReady } from './answer.ts'
import type { Page } from './documentation-pages.ts'
import { readyOf } from './ready.ts'

/** A document that describes the service. It is looked for at the first request, and cached. */
export interface Document {
  readonly path: string
  readonly operation: string
  readonly headers: Readonly<Record<string, string>>
  /** In UTF-8. */
  readonly find: () => Promise<Uint8Array>
}

/** Caches may keep the document, but must revalidate it. */
const revalidated = { 'cache-control': 'public, max-age=0, must-revalidate', vary: 'Authorization, Accept' }

/** Adds the given documents, and the reference page at `/api/docs`. (D15) */
export function addDocumentation(app: FastifyInstance, threads: Threads, documents: readonly Document[]): void {
  for (const { path, operation, headers, find } of documents) {
    const ready = once(async () => readyOf(operation, bufferOf(await find()), { ...headers, ...revalidated }))
    app.get(path, async (request, reply) => {
      await sendReady(request, reply, await ready())
      return reply
    })
  }

  const pages = once(() => openPages(threads))
  // The service has no other page to show at its root yet.
  app.get('/api/docs', async (_request, reply) => reply.redirect('/api/docs/'))
  app.get<{ Params: { '*': string } }>('/api/docs/*', { config: { cost: pageCost } }, async (request, reply) => {
    const page = (await pages()).get(request.params['*'])
    if (page === undefined) return reply.callNotFound()
    await sendReady(request, reply, page)
    return reply
  })
}

/** The same bytes. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** Calls `make` at the first request and caches the result; a failure is not cached. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Reads that a page counts as: its script is 4 MB, and a browser keeps it for an hour. */
const pageCost = 20

const pagesTask = { module: new URL('./documentation-pages.ts', import.meta.url), name: 'makePages' }

/** Makes the pages at the first request; their bytes and entity tags never change. */
async function openPages(threads: Threads): Promise<ReadonlyMap<string, Ready>> {
  const pages = await threads.run<undefined, ReadonlyMap<string, Page>>(pagesTask, undefined)
  return new Map(
    [...pages].map(([name, { contentType, body }]) => {
      const headers = {
        'content-type': contentType,
        'cache-control': 'public, max-age=3600',
        'content-security-policy': documentationPolicy,
      }
      return [name, readyOf('documentation', bufferOf(body), headers)]
    }),
  )
}

/** The page brings its own script and styles, and speaks to this service alone. */
const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
