import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Database } from '../db/database.ts'
import { addHealthGauges } from '../health/measures.ts'
import type { Health } from '../health/types.ts'
import type { Metrics } from '../metrics.ts'

/** Health and metrics for operators; not part of the API or its documentation. */

export function addSystemRoutes(
  app: FastifyInstance,
  parts: {
    readonly database: Database
    readonly metrics: Metrics
    readonly health: Health
  },
): void {
  const { database, metrics, health } = parts

  /** The process is running. */
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  /** The process can serve: its database answers, it reads the event log, and it is not about to end. (RT32, RT34) */
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const status = await health.ready()
    return reply.code(status === 'ready' ? 200 : 503).send({ status })
  })

  addHealthGauges(metrics, health)
  metrics.gauge(
    'database_connections_busy',
    'Pool connections that run a transaction.',
    () => database.pool.totalCount - database.pool.idleCount,
  )

  /** For a collector on the same machine: other machines, and requests through a proxy, get a 404. */
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound()
    return reply
      .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
      .send(await metrics.text())
  })
}

function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded
  const peer = request.socket.remoteAddress ?? ''
  return forwarded === undefined && ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback'
}
