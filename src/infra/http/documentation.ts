import Fastify, { type FastifyInstance } from 'fastify'
import type { Operation } from '../../core/operation.ts'
import { etagOf, type Ready, sendReady } from './answer.ts'
import { describeApi } from './openapi.ts'

/** The description for machines at `/api/openapi.json`, and for people at `/api/docs`. (D15) */
export function addDocumentation(app: FastifyInstance, operations: readonly Operation[]): void {
  const body = Buffer.from(JSON.stringify(describeApi(operations)))
  const description: Ready = {
    body,
    etag: etagOf(body),
    length: String(body.length),
    operation: 'description',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Authorization, Accept',
    },
  }
  app.get('/api/openapi.json', async (request, reply) => sendReady(request, reply, description))

  let pages: Promise<FastifyInstance> | undefined
  app.get('/api/docs', async (_request, reply) => reply.redirect('/api/docs/'))
  app.get('/api/docs/*', async (request, reply) => {
    pages ??= openPages()
    const page = await (await pages).inject({ method: 'GET', url: request.url })
    if (page.statusCode !== 200) return reply.callNotFound()
    const { rawPayload: body } = page
    const headers = {
      'content-type': page.headers['content-type'] ?? 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': documentationPolicy,
    }
    return sendReady(request, reply, {
      body,
      etag: etagOf(body),
      length: String(body.length),
      operation: 'documentation',
      headers,
    })
  })
}

/**
 * The reference pages, in an application of their own that is made when somebody first looks: they hold 17 MB, which a
 * service that nobody reads about need not carry.
 */
async function openPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = Fastify()
  await pages.register(scalar, {
    routePrefix: '/api/docs',
    configuration: { url: '/api/openapi.json', title: 'Downbeat API', withDefaultFonts: false, telemetry: false },
  })
  await pages.ready()
  return pages
}

/** The page brings its own script and styles, and speaks to this service alone. */
const documentationPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
