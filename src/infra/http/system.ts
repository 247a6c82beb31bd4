import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics.ts'

/** What those who run the service look at; not part of the API, and not described by it. */

export function addSystemRoutes(
  app: FastifyInstance,
  parts: {
    readonly database: Database
    readonly metrics: Metrics
    /** Why nobody else should come here; null where there is no reason. */
    readonly unwell: () => string | null
  },
): void {
  const { database, metrics, unwell } = parts

  /** The process lives. */
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  /** The process can serve: its database answers, it sees what happens, and it is not about to end. (RT32, RT34) */
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const ready = await database.ping().then(
      () => true,
      () => false,
    )
    const status = ready ? (unwell() ?? 'ready') : 'database unreachable'
    return reply.code(status === 'ready' ? 200 : 503).send({ status })
  })

  metrics.gauge(
    'database_connections_busy',
    'Pool connections that run a transaction.',
    () => database.pool.totalCount - database.pool.idleCount,
  )
  metrics.gauge(
    'database_requests_waiting',
    'Transactions that wait for a connection.',
    () => database.pool.waitingCount,
  )

  /** For a collector on the same machine: whoever comes from elsewhere, or through a proxy, finds nothing here. */
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
