import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import cookies from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { networkOf } from '../../core/network.ts'
import { isForPrograms, type Operation, parametersOf } from '../../core/operation.ts'
import { invalid, notReady, Problem } from '../../core/problem.ts'
import { isUnreachable } from '../db/unreachable.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createServer } from '../node-http.ts'
import { boundArrival, cameTooLate, closeAfterAnswer } from './arrival-timeouts.ts'
import { collectBodies, passAnyType } from './body.ts'
import { type ConnectionLimits, Connections, defaultConnections } from './connections.ts'
import { sendInternalError, sendProblem } from './errors.ts'
import { before } from './fast-path.ts'
import { crossOrigin, preflight, standing } from './headers.ts'
import { Bodies } from './held-bodies.ts'
import { isUnderMedia, mediaHostOf, type Origins, restrictToMedia, unknownMedium } from './media.ts'
import { declarations } from './outcomes.ts'
import { maxHeaderBytes, refuse } from './refusal.ts'
import { newState } from './request.ts'
import type { Kernel, Life } from './route.ts'
import { statusOf } from './statuses.ts'
import { Timing, timedHooks } from './timing.ts'
import { maxUploadMs } from './upload-form.ts'

/** The HTTP server: a route for each operation, and the limits of connections. */

export interface HttpOptions {
  readonly operations: readonly Operation[]
  readonly kernel: Kernel
  readonly lifeOf: (operation: Operation) => Life
  readonly log: Logger
  /** The log for the line of each request. */
  readonly requests: Logger
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** Outside production an undeclared answer of an operation is a failure, so that tests find it. */
  readonly strict: boolean
  /** Whether answers tell where their time went. */
  readonly isTimed: boolean
  /** Limits that differ from the defaults. */
  readonly connections: Partial<ConnectionLimits>
  readonly bodyBytes?: number | undefined
  /** How long a body may arrive slowly. */
  readonly slowAfterMs?: number | undefined
  readonly origins: Origins
}

/** Maximum bytes of all bodies together. */
const defaultBodies = 24 * 1024 * 1024

const sweepMs = 100

export function createHttp(options: HttpOptions): FastifyInstance {
  const { log, requests, metrics, kernel, isTimed } = options
  const limits = { ...defaultConnections, ...options.connections }
  const connections = new Connections(limits, options.trustedProxies)
  const bodies = new Bodies(options.bodyBytes ?? defaultBodies, options.slowAfterMs)
  const done = (operation: string, reqId: string, status: number, startedAt: number) => {
    const ms = performance.now() - startedAt
    metrics.request(operation, status, ms / 1000)
    requests.info({ reqId, op: operation, status, ms: Math.round(ms * 10) / 10 }, 'request')
  }
  const mediaHost = mediaHostOf(options.origins)
  const atMedia =
    (next: RequestListener): RequestListener =>
    (request, response) => {
      restrictToMedia(request, mediaHost)
      next(request, response)
    }
  let isClosing = false
  const trusting = options.trustedProxies.length > 0
  const front = { ...kernel, connections, trusting, isTimed, isClosing: () => isClosing, done }
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A new logger for each request, which no code here uses, would be searched for secrets each time.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trusting ? [...options.trustedProxies] : false,
    serverFactory: (handler) => openServer(atMedia(before(handler, front)), limits, connections),
    // Requests on a connection that is still in use are answered, with a note that the connection closes.
    return503OnClosing: false,
    // A name of any length reaches the lookup of records, which answers that there is no such record.
    routerOptions: { maxParamLength: maxHeaderBytes },
    rewriteUrl: ({ url = '/' }) => withPlainMe(url),
    frameworkErrors: (error, request, reply) => void refuseAddress(error, request, reply),
    clientErrorHandler: (error, socket) =>
      refuse(error, socket, (requestId, status) => done('none', requestId, status, performance.now())),
  })
  metrics.gauge('http_connections', 'Connections that are open.', () => connections.size)
  metrics.gauge('http_remembered_bytes', 'Bytes that remembered answers hold.', () => kernel.answers.bytes)
  metrics.gauge('http_bodies_bytes', 'Bytes that bodies of requests hold.', () => bodies.held)
  metrics.gauge('http_uploads', 'Uploads that are arriving.', () => kernel.uploads.places.size)
  collectBodies(app, bodies, kernel.uploads.places)
  void app.register(cookies)
  app.decorateRequest('state')

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    request.state = newState(request.routeOptions.config.operation ?? null)
    if (isTimed) request.state.timing = new Timing()
    reply.headers(standing)
    reply.header('request-id', request.id)
    const { operation } = request.state
    if (operation?.deprecated) reply.header('deprecation', deprecation(operation.deprecated.since))
    if (operation === null || isForPrograms(operation.scope)) reply.headers(crossOrigin)
  }
  function finish(request: FastifyRequest, reply: FastifyReply): void {
    done(request.state.operation?.name ?? 'none', request.id, reply.statusCode, request.state.startedAt)
  }
  /** Answers an unreadable address, for which the framework runs no route and no hooks. */
  async function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    begin(request, reply)
    tellTiming(request, reply)
    try {
      countStranger(request, reply)
      fail(isUnderMedia(request.url) ? unknownMedium() : error, request, reply)
    } catch (limited) {
      fail(limited, request, reply)
    }
    finish(request, reply)
  }
  /** Counts a request without an operation as an anonymous read; operations count once they know the caller. (D13) */
  function countStranger(request: FastifyRequest, reply: FastifyReply): void {
    const { cost = 1, budget = 'read' } = request.routeOptions.config
    reply.headers(kernel.limits.count(budget, networkOf(request.ip), cost))
  }
  app.addHook('onRequest', async (request, reply) => {
    begin(request, reply)
    passAnyType(request.routeOptions.config.operation, request.raw)
    const fault = faultOf(request.raw)
    if (fault !== null || request.routeOptions.config.operation === undefined) countStranger(request, reply)
    if (fault !== null) throw fault
  })
  /** Tells where the time went, as the last thing before the answer is sent. */
  function tellTiming({ state }: FastifyRequest, reply: FastifyReply): void {
    if (state.timing !== null) reply.header('server-timing', state.timing.headerValue())
  }
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    tellTiming(request, reply)
    done()
  })
  app.addHook('preClose', async () => {
    isClosing = true
    // Connections whose last answer began before the close: they are closed as soon as they are idle.
    const sweep = setInterval(() => {
      app.server.closeIdleConnections()
      connections.closeUnused()
    }, sweepMs).unref()
    app.server.once('close', () => clearInterval(sweep))
  })
  app.addHook('onResponse', async (request, reply) => finish(request, reply))

  const isDeclared = declarations(kernel.parameters)
  function fail(met: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const operation = request.state.operation ?? undefined
    // A caller who was refused learns nothing about the expected body. (D1)
    const error = request.state.refused ?? met
    closeAfterAnswer(request.raw, reply.raw)
    const isLost = isUnreachable(error)
    const problem = error instanceof Problem ? error : isLost ? notReady() : fromFramework(error)
    if (isLost || problem === null) log.error({ reqId: request.id, op: operation?.name, err: error }, 'failed')
    if (problem === null) return sendInternalError(request, reply)
    if (operation !== undefined && options.strict && !isDeclared(problem, operation)) {
      const told = `${statusOf(problem, operation)} ${problem.code}`
      log.error({ reqId: request.id, op: operation.name, err: problem }, `undeclared problem ${told}`)
      return sendInternalError(request, reply)
    }
    return sendProblem(request, reply, problem, statusOf(problem, operation))
  }
  app.setErrorHandler((error, request, reply) => fail(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    fail(new Problem('missing', 'route.unknown', 'There is nothing at this address.'), request, reply),
  )

  app.options('/*', async (_request, reply) => reply.headers(preflight).code(204).send())
  for (const operation of options.operations) {
    const life = options.lifeOf(operation)
    addRoute(app, operation, isTimed ? timedHooks(life) : life)
  }
  return app
}

/**
 * Opens the server. Node.js would refuse some requests without an explanation, so they are let through to here: a
 * request without a host (RFC 9112 §3.2), and one with an unsupported `Expect` (RFC 9110 §10.1.1).
 */
function openServer(listener: RequestListener, limits: ConnectionLimits, connections: Connections): Server {
  const bounded: RequestListener = (request, response) => {
    if (cameTooLate(request)) return void request.resume()
    boundArrival(server, request, limits.requestTimeout)
    listener(request, response)
  }
  // Each request with a body has its own limit; the server's limit is for requests without one.
  const requestTimeout = Math.max(limits.requestTimeout, maxUploadMs + limits.headersTimeout)
  const server = createServer(
    { ...limits, requestTimeout, maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    bounded,
  )
  server.on('checkExpectation', bounded)
  connections.watch(server)
  return server
}

function faultOf({ headers, httpVersion }: IncomingMessage): Problem | null {
  if (headers.host === undefined && httpVersion === '1.1') {
    return invalid('request.malformed', 'The request lacks the header Host.')
  }
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return null
  return new Problem('unmet_expectation', 'request.expectation', 'Of expectations, only 100-continue is met.')
}

/** Clients may encode `@me` like any other identifier; routes know only the plain spelling. */
function withPlainMe(url: string): string {
  return url.replace(/^([^?]*?\/)%40me(?=[/?]|$)/, '$1@me')
}

function addRoute(app: FastifyInstance, operation: Operation, life: Pick<Life, 'onRequest' | 'handler'>): void {
  const { root, alsoAtRoot, path } = operation
  const urls = [...(root ? [] : [`/api${path}`]), ...(root || alsoAtRoot ? [path] : [])]
  for (const url of urls) {
    app.route({
      method: operation.method,
      url,
      config: { operation },
      // HEAD is a GET without a body, and must change as little. (RFC 9110 §9.2.1)
      exposeHeadRoute: operation.kind === 'query',
      onRequest: life.onRequest,
      handler: life.handler,
    })
  }
}

/** The time of deprecation, in Unix seconds. (RFC 9745 §2.1) */
function deprecation(since: Date): string {
  return `@${Math.floor(since.getTime() / 1000)}`
}

/** Two operations at one address would hide each other, and two operations must not share a name. */
export function checkOperations(operations: readonly Operation[]): void {
  const seen = new Set<string>()
  for (const operation of operations) {
    const address = `${operation.method} ${operation.path.replace(/:\w+/g, ':')}`
    for (const key of [operation.name, address]) {
      if (seen.has(key)) throw new Error(`two operations share ${key}`)
      seen.add(key)
    }
    const names = parametersOf(operation.path)
    if (new Set(names).size !== names.length) throw new Error(`${operation.path} names a parameter twice`)
  }
}

/** Problems for errors of the framework before any of our code ran; null for an internal defect. */
function fromFramework(error: unknown): Problem | null {
  const { code, statusCode } = error as FastifyError
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        'unsupported_type',
        'request.unsupported_type',
        'The Content-Type is malformed; name a media type such as application/json.',
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return invalid('request.malformed', 'The request is malformed; check its address and length.')
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? invalid('request.malformed', 'The request is malformed.')
        : null
  }
}
