import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../core/operation.ts'
import { etagOf, type Ready, sendReady } from './answer.ts'
import { describeApi } from './openapi.ts'

/** The description for machines at `/api/openapi.json`, and for people at `/api/docs`. (D15) */
export function addDocumentation(app: FastifyInstance, operations: readonly Operation[]): void {
  const body = Buffer.from(JSON.stringify(describeApi(operations)))
  const description: Ready = {
    body,
    etag: etagOf(body),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Authorization, Accept',
    },
  }
  app.get('/api/openapi.json', async (request, reply) => sendReady(request, reply, description))

  void app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', documentationPolicy)
    })
    await scope.register(scalar, {
      routePrefix: '/api/docs',
      configuration: { url: '/api/openapi.json', title: 'Downbeat API', withDefaultFonts: false, telemetry: false },
    })
  })
}

/** The page brings its own script and styles, and speaks to this service alone. */
const documentationPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
