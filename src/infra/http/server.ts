import { randomUUID } from 'node:crypto'
import cookies from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Operation, parametersOf } from '../../core/operation.ts'
import { invalid, Problem } from '../../core/problem.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { collectBodies, maxBodyBytes } from './body.ts'
import { sendInternalError, sendProblem } from './errors.ts'
import { newState } from './request.ts'
import { type Kernel, lifeOf } from './route.ts'
import { isDeclared, statusOf } from './statuses.ts'

/** The HTTP server: every operation a route, and the limits within which a connection may act. */

export interface HttpOptions {
  readonly operations: readonly Operation[]
  readonly kernel: Kernel
  readonly log: Logger
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** Outside production an answer that an operation does not declare is a failure, so that tests find it. */
  readonly strict: boolean
}

const limits = {
  headerBytes: 16 * 1024,
  /** Headers must be complete within this time. */
  headersMs: 10_000,
  /** The whole request must be in within this time. */
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  pathParameterCharacters: 500,
}

export function createHttp(options: HttpOptions): FastifyInstance {
  const { log, metrics, kernel } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: maxBodyBytes,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: { maxHeaderSize: limits.headerBytes, headersTimeout: limits.headersMs, connectionsCheckingInterval: 2_000 },
    routerOptions: { maxParamLength: limits.pathParameterCharacters },
    frameworkErrors: (error, request, reply) => void fail(error, request, reply),
  })
  app.server.maxConnections = limits.connections
  collectBodies(app)
  void app.register(cookies)
  app.decorateRequest('state')

  app.addHook('onRequest', async (request, reply) => {
    request.state = newState(request)
    reply.headers(standing)
    reply.header('request-id', request.id)
    if (request.routeOptions.config.operation?.scope !== 'session') reply.headers(crossOrigin)
  })
  app.addHook('onResponse', async (request, reply) => {
    const seconds = (performance.now() - request.state.startedAt) / 1000
    const operation = request.state.operation?.name ?? 'none'
    metrics.request(operation, reply.statusCode, seconds)
    log.info(
      { reqId: request.id, op: operation, status: reply.statusCode, ms: Math.round(seconds * 1e4) / 10 },
      'request',
    )
  })

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const operation = request.state?.operation ?? undefined
    const problem = error instanceof Problem ? error : fromFramework(error)
    if (problem === null) {
      log.error({ reqId: request.id, op: operation?.name, err: error }, 'failed')
      return sendInternalError(request, reply)
    }
    if (operation !== undefined && options.strict && !isDeclared(problem, operation)) {
      log.error({ reqId: request.id, op: operation.name, err: problem }, `undeclared problem ${problem.code}`)
      return sendInternalError(request, reply)
    }
    return sendProblem(request, reply, problem, statusOf(problem, operation))
  }
  app.setErrorHandler((error, request, reply) => fail(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    fail(new Problem('missing', 'route.unknown', 'There is nothing at this address.'), request, reply),
  )

  app.options('/*', async (_request, reply) => reply.headers(preflight).code(204).send())
  for (const operation of options.operations) addRoute(app, operation, kernel)
  return app
}

function addRoute(app: FastifyInstance, operation: Operation, kernel: Kernel): void {
  const life = lifeOf(operation, kernel)
  app.route({
    method: operation.method,
    url: operation.root ? operation.path : `/api${operation.path}`,
    config: { operation },
    schema: { response: operation.reply },
    onRequest: life.onRequest,
    handler: life.handler,
  })
}

/** Two operations at one address would shadow each other; a name must be one operation's alone. */
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

const standing = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Bearer tokens travel in a header that no browser adds by itself, so any origin may call. (D14) */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Problem-Code, Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Deprecation, WWW-Authenticate',
}

const preflight = {
  ...crossOrigin,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, ChatPlatform, If-None-Match',
  'access-control-max-age': '7200',
}

/** Faults that the framework found before any of our code ran; null for a defect of ours. */
function fromFramework(error: unknown): Problem | null {
  const { code, statusCode } = error as FastifyError
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'request.too_large', `The body may have at most ${maxBodyBytes} bytes.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return invalid('request.malformed', 'The request is malformed; check its address, content type and length.')
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? invalid('request.malformed', 'The request is malformed.')
        : null
  }
}
