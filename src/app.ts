import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createClients } from './clients.ts'
import type { Config } from './config.ts'
import { features } from './features.ts'
import { problemOf } from './infra/db/constraints.ts'
import type { Database } from './infra/db/database.ts'
import { Memory } from './infra/events/memory.ts'
import type { Ready } from './infra/http/answer.ts'
import { addDocumentation } from './infra/http/documentation.ts'
import { createRateLimits, unlimited } from './infra/http/limits.ts'
import { checkOperations, createHttp } from './infra/http/server.ts'
import { addSystemRoutes } from './infra/http/system.ts'
import { startJobs } from './infra/jobs/jobs.ts'
import { createLog, type Logger } from './infra/log.ts'
import { createMetrics } from './infra/metrics.ts'
import { openRuntime } from './runtime.ts'
import type { Clients, Services } from './services.ts'

/** The composition root: everything is made here, once, and handed down. */

export interface App extends AsyncDisposable {
  readonly config: Config
  readonly database: Database
  readonly services: Services
  readonly clients: Clients
  readonly http: FastifyInstance
  readonly log: Logger
  /** Answers the address that it listens on. */
  listen(): Promise<string>
  /** Stops taking requests, lets those under way finish, and closes everything. */
  close(): Promise<void>
}

export const operations = features.flatMap((feature) => feature.operations ?? [])

const answersRemembered = 1_000

export async function createApp(config: Config): Promise<App> {
  checkOperations(operations)
  const log = createLog(config.logLevel)
  const { database, head, keys, tokens, seal, cleanups } = await openRuntime(config, log)
  try {
    const metrics = createMetrics()
    const services: Services = { config, tokens, keys, seal }
    const clients = createClients(config, database, log, cleanups)

    for (const feature of features) await feature.start?.({ database, services, now: new Date() })

    const constraints = Object.assign({}, ...features.map((feature) => feature.constraints ?? {}))
    const kernel = {
      database,
      db: database.db,
      head,
      memory: new Memory<Ready>(head, answersRemembered),
      limits: config.rateLimits ? createRateLimits() : unlimited(),
      authenticator: {
        bearer: (token: string, now: Date) => tokens.verify(token, now),
        session: async () => null,
      },
      resolvers: Object.assign({}, ...features.map((feature) => feature.resolvers ?? {})),
      publicUrl: config.publicUrl,
      services,
      clients,
      secureCookies: config.environment !== 'local',
      problemOf: (error: unknown) => problemOf(error, constraints),
    }
    const http = createHttp({
      operations,
      kernel,
      log,
      metrics,
      trustedProxies: config.trustedProxies,
      strict: config.environment !== 'production',
    })
    addSystemRoutes(http, { database, metrics })
    addDocumentation(http, operations)
    cleanups.add(() => http.close())

    const jobs = features.flatMap((feature) => feature.jobs ?? [])
    const runner = await startJobs(jobs, { database, log, services, clients, now: () => new Date() }, database.pool, 4)
    cleanups.add(() => runner.stop())

    return {
      config,
      database,
      services,
      clients,
      http,
      log,
      async listen() {
        await http.listen({ host: config.host, port: config.port })
        const { port } = http.server.address() as AddressInfo
        return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
      },
      close: () => cleanups.run(),
      [Symbol.asyncDispose]: () => cleanups.run(),
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
