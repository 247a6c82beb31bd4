import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from './config.ts'
import { features } from './features.ts'
import { createChatClient } from './infra/clients/chat.ts'
import { createHttpClient } from './infra/clients/http.ts'
import { createRankingClients } from './infra/clients/ranking.ts'
import { problemOf } from './infra/db/constraints.ts'
import { type Database, openDatabase } from './infra/db/database.ts'
import { startEmbeddedDatabase } from './infra/db/embedded.ts'
import { migrateDatabase } from './infra/db/migrate.ts'
import { Head } from './infra/events/head.ts'
import { Memory } from './infra/events/memory.ts'
import type { Ready } from './infra/http/answer.ts'
import { createRateLimits, unlimited } from './infra/http/limits.ts'
import { checkOperations, createHttp } from './infra/http/server.ts'
import { addSystemRoutes } from './infra/http/system.ts'
import { startJobs } from './infra/jobs/jobs.ts'
import { createLog, type Logger } from './infra/log.ts'
import { createMetrics } from './infra/metrics.ts'
import { openKeyRing, openSeal } from './oauth/keys.ts'
import { accessTokenLifetime, createTokens } from './oauth/tokens.ts'
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
  const cleanups: (() => Promise<unknown>)[] = []
  const cleanUp = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  }
  try {
    const connection = await connect(config, log, cleanups)
    await migrateDatabase(connection)
    const database = await openDatabase({
      connection,
      onError: (error) => log.error({ err: error }, 'database connection'),
    })
    cleanups.push(() => database.close())

    const head = await Head.open(database.db)
    const metrics = createMetrics()
    const keyDirectory = path.join(config.dataDir, 'keys')
    const keys = await openKeyRing(keyDirectory, accessTokenLifetime, new Date())
    const tokens = createTokens({ db: database.db, head, keys, issuer: config.publicUrl })
    const services: Services = { config, tokens, keys, seal: await openSeal(keyDirectory) }
    const clients = createClients(config, cleanups)

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
    cleanups.push(() => http.close())

    const jobs = features.flatMap((feature) => feature.jobs ?? [])
    const runner = await startJobs(jobs, { database, log, services, clients, now: () => new Date() }, database.pool, 4)
    cleanups.push(() => runner.stop())

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
      close: cleanUp,
      [Symbol.asyncDispose]: cleanUp,
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

async function connect(config: Config, log: Logger, cleanups: (() => Promise<unknown>)[]): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl }
  const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, log: (line) => log.info(line) })
  cleanups.push(() => embedded.stop())
  return embedded.connection
}

function createClients(config: Config, cleanups: (() => Promise<unknown>)[]): Clients {
  const http = createHttpClient({
    userAgent: `Downbeat (${config.publicUrl}, 0.1)`,
    timeoutMs: 8_000,
    maxBodyBytes: 1024 * 1024,
    connections: 16,
  })
  cleanups.push(() => http.close())
  // Without credentials the service plays the chat platform itself, at an address of its own. (D20)
  const standIn = `${config.publicUrl}/api/auth/stand-in`
  const { credentials, ...addresses } = config.chat
  const chat =
    credentials === null
      ? {
          clientId: 'local',
          clientSecret: 'local',
          apiUrl: standIn,
          authorizeUrl: `${standIn}/oauth2/authorize`,
          cdnUrl: addresses.cdnUrl,
        }
      : { ...addresses, ...credentials }
  return {
    chat: createChatClient({ http, ...chat }),
    rankings: createRankingClients({ http, scoreSaberUrl: config.rankingAUrl, beatLeaderUrl: config.rankingBUrl }),
  }
}
