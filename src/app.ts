import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bearersBy } from './bearers.ts'
import { createClients, createPush, defaultTimeouts, release, type Timeouts } from './clients.ts'
import { type Config, hasInventedSongs, usesStandIn } from './config.ts'
import { networkOf } from './core/network.ts'
import type { Operation } from './core/operation.ts'
import { documentsOf } from './documents.ts'
import { exampleWords } from './examples.ts'
import { sessionHolders } from './features/assistant/assistantSessions/prepare.ts'
import { endSessions } from './features/flows/flowSessions/commands/cancelling.ts'
import { createCatalogue } from './features/maps/catalogue/cache.ts'
import { findMirrored } from './features/media/mirror/commands.ts'
import { controlTurns } from './features/overlays/control/prepare.ts'
import { ViewTokens } from './features/overlays/overlays/cache.ts'
import { findShown } from './features/overlays/overlays/store/tokens.ts'
import { createRankingCache } from './features/people/rankings/cache.ts'
import { authenticateSession } from './features/people/sessions/queries.ts'
import type { Cookies } from './features/people/sessions/rules.ts'
import type { ProfileParts } from './features/people/users/rules/profile-parts.ts'
import { listUserFacts } from './features/people/users/store/users.ts'
import { userCard } from './features/people/users/views.ts'
import type { Slice } from './features/slice.ts'
import { hidingEvents, hidingOf, staffSeesEvent } from './features/tournaments/tournaments/policy.ts'
import type { Includes } from './features/tournaments/tournaments/rules/includes.ts'
import { features } from './features.ts'
import { createHealth, rememberedOutside } from './health.ts'
import { problemOf } from './infra/db/constraints.ts'
import type { Database } from './infra/db/database.ts'
import { Decoder } from './infra/decoder/decoder.ts'
import { delay } from './infra/delay/part.ts'
import { Delivery } from './infra/delivery/delivery.ts'
import { mirroredFile } from './infra/delivery/mirrored.ts'
import { VariantUses } from './infra/delivery/uses.ts'
import { follow, type Trouble } from './infra/events/follow.ts'
import { sweepOfEvents } from './infra/events/retention.ts'
import { openWake } from './infra/events/wake.ts'
import { Answers } from './infra/http/answer-cache.ts'
import { addBridge } from './infra/http/bridge.ts'
import type { ConnectionLimits } from './infra/http/connections.ts'
import { addDocumentation } from './infra/http/documentation.ts'
import type { PlaceLimits } from './infra/http/fair-shares.ts'
import { JsonReading } from './infra/http/json-reading.ts'
import { type Allowances, createRateLimits, unlimited } from './infra/http/limits.ts'
import { listeningFault } from './infra/http/listening.ts'
import { addMediaRoutes } from './infra/http/media.ts'
import type { Api } from './infra/http/openapi.ts'
import { type Life, lifeOf as makeLife } from './infra/http/route.ts'
import { checkOperations, createHttp } from './infra/http/server.ts'
import { synchroniseLimits } from './infra/http/shared-limits.ts'
import { addSystemRoutes } from './infra/http/system.ts'
import { isTimed } from './infra/http/timing.ts'
import { Uploads } from './infra/http/upload.ts'
import type { UploadLimits } from './infra/http/upload-form.ts'
import { idempotency } from './infra/idempotency/part.ts'
import { startDueWork } from './infra/jobs/due.ts'
import { startJobs } from './infra/jobs/jobs.ts'
import { startLeasedSet } from './infra/jobs/lease-sets.ts'
import { leasedOnce } from './infra/jobs/leased-once.ts'
import { startLeasedWork } from './infra/jobs/leases.ts'
import { createLogs, type Logger } from './infra/log.ts'
import { followOrigin } from './infra/media/origin.ts'
import { mediaOwners } from './infra/media/owners/part.ts'
import { createMetrics } from './infra/metrics.ts'
import { packageMaking } from './infra/packages/making.ts'
import { Pictures } from './infra/pictures/pictures.ts'
import { openCompatibleDoor } from './infra/realtime/compatible/door.ts'
import { PostgresBus } from './infra/realtime/ephemeral/bus-postgres.ts'
import { RedisBus } from './infra/realtime/ephemeral/bus-redis.ts'
import { addRealtimeMetrics } from './infra/realtime/measures.ts'
import { Realtime } from './infra/realtime/realtime.ts'
import { MarkdownRendering } from './infra/threads/markdown-rendering.ts'
import { Threads } from './infra/threads/threads.ts'
import { openStorage } from './media-storage.ts'
import { authorizationServer } from './oauth/server.ts'
import { rehearsing } from './rehearsals.ts'
import { openRuntime } from './runtime.ts'
import type { Clients, Services } from './services.ts'
import { addPages } from './site/serving.ts'

/** The composition root: creates every component once and passes it on. */

export interface App extends AsyncDisposable {
  readonly config: Config
  readonly database: Database
  readonly services: Services
  readonly clients: Clients
  readonly http: FastifyInstance
  readonly log: Logger
  /** Starts listening and returns the address. On failure everything is closed. */
  listen(): Promise<string>
  /** The address that accepts sockets, once the process listens; null where other processes accept them. */
  readonly socketAddress: string | null
  /** Makes the descriptions of the service, if they are not kept from an earlier start, so that no reader waits for them. */
  describe(): Promise<void>
  /** Stops accepting requests, lets running requests finish, and closes everything. */
  close(): Promise<void>
}

/** All parts of the service. */
export const parts: readonly Slice[] = [
  ...[idempotency, delay, authorizationServer],
  ...features.map(({ slice }) => slice),
  mediaOwners,
]

const includes: Includes = Object.assign({}, ...parts.map((part) => part.includes ?? {}))
const profile: ProfileParts = Object.assign({}, ...parts.map((part) => part.profile ?? {}))

/** All followers of the event log. */
export const followers = parts.flatMap((part) => part.followers ?? [])

const queues = parts.flatMap((part) => part.queues ?? [])
const mediaFields = parts.flatMap((part) => part.mediaFields ?? [])
const unusable = parts.flatMap((part) => part.unusable ?? [])
const personalData = parts.flatMap((part) => part.personalData ?? [])

export const operations = parts.flatMap((part) => [
  ...(part.operations ?? []),
  ...(part.including?.(includes) ?? []),
  ...(part.overUnusable?.(unusable) ?? []),
  ...(part.overProfile?.(profile) ?? []),
  ...(part.overPersonalData?.(personalData, mediaFields) ?? []),
  ...(part.overMediaFields?.(mediaFields) ?? []),
])

/** Topics whose values are stored in no database. */
export const ephemeralTopics = parts.flatMap((part) => part.ephemeral ?? [])

/** Topics that several people edit at once. */
export const documentTopics = parts.flatMap((part) => part.documents ?? [])

/** The reads for clients of the compatible protocol, in configurations that accept these clients. */
const compatibleReads = parts.flatMap((part) => part.compatible ?? [])

/** The whole API: its operations, and the texts that describe them. */
export const api: Api = {
  guide: readFileSync(new URL('./guide.md', import.meta.url), 'utf8'),
  exampleWords,
  operations,
  parameters: Object.assign({}, ...parts.map((part) => part.parameters ?? {})),
  // Newcomers look for users and tournaments first, for the authorization server last.
  tags: Object.assign({}, ...features.map(({ slice }) => slice.tags ?? {}), authorizationServer.tags),
}

const threadPatienceMs = 30_000

/** Limits that replace the defaults, for tests that need to reach them. */
export interface Overrides {
  readonly allowances?: Partial<Allowances>
  readonly connections?: Partial<ConnectionLimits>
  /** Maximum bytes of all request bodies together. */
  readonly bodyBytes?: number
  readonly uploads?: Partial<UploadLimits & PlaceLimits>
  /** Maximum bytes of all cached answers of one size class. */
  readonly answerBytes?: number
  readonly timeouts?: Partial<Timeouts>
  /** Maximum number of jobs of one kind that run at the same time. */
  readonly jobSlots?: number
  /** Lifetime of a value of an ephemeral topic that is not renewed, in milliseconds. */
  readonly ephemeralMs?: number
  /** How long the event log may be unreadable before followers are disconnected, in milliseconds. */
  readonly blindMs?: number
}

export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const standIn = usesStandIn(config) ? (await import('../stand-in/routes.ts')).standInOperations() : []
  const served = [...operations, ...standIn]
  checkOperations(served)
  const { log, requests } = createLogs(config.logLevel)
  const { connection, database, head, held, keys, tokens, seal, cleanups } = await openRuntime(config, log)
  try {
    const metrics = createMetrics()
    const threads = new Threads(threadPatienceMs)
    const markdown = new MarkdownRendering(config.media.url)
    cleanups.add(() => markdown.close())
    const decoder = new Decoder({ folder: path.join(config.dataDir, 'media', 'work') })
    const pictures = new Pictures(decoder)
    const storage = await openStorage(config)
    const wake = await openWake(database, connection, (error) => log.error({ err: error }, 'event listener'))
    cleanups.add(() => wake.close())
    const viewTokens = new ViewTokens({ database, head, onError: (err) => log.error({ err }, 'uses of view tokens') })
    cleanups.add(() => viewTokens.close())
    const bearers = bearersBy(tokens, viewTokens)
    const limits = config.rateLimits ? createRateLimits(overrides.allowances) : unlimited()
    const lives = new Map<Operation, Life>()
    const lifeOf = (operation: Operation) => lives.get(operation) as Life
    const onError = (error: Error) => log.error({ err: error }, 'bus of ephemeral values')
    const { redisUrl: url } = config
    const bus = url === null ? new PostgresBus({ connection, onError }) : new RedisBus({ url, onError })
    cleanups.add(() => bus.close())
    const realtime = new Realtime({
      ...{ database, held, wake },
      operations: served,
      lifeOf,
      seal,
      facts: {
        events: Object.assign({}, ...parts.map((part) => part.events ?? {})),
        staffSees: staffSeesEvent,
        hiding: hidingOf,
        hidingTypes: hidingEvents,
      },
      connection,
      documents: documentTopics,
      compatible: config.compatSocket ? await openCompatibleDoor(compatibleReads) : null,
      bus,
      ephemeral: ephemeralTopics,
      expiresMs: overrides.ephemeralMs,
      blindMs: overrides.blindMs,
      verifyAll: bearers.verifyAll,
      verifyAgain: bearers.verifyAgain,
      countGuess: (address) => void limits.count('sign-in', networkOf(address)),
      cardOf: async (guid) => {
        const facts = (await listUserFacts(database.db, [guid])).get(guid)
        return facts === undefined ? null : userCard(facts)
      },
      overlayOf: async ({ overlayGuid }) => {
        const shown = await findShown(database.db, overlayGuid)
        return shown === undefined ? null : { guid: shown.guid, tournament: shown.tournament }
      },
      trustedProxies: config.trustedProxies,
      maxSockets: config.socketLimit,
      areLimited: config.rateLimits,
      onError: (error) => log.error({ err: error }, 'real-time feed'),
    })
    cleanups.add(() => realtime.close())
    // A gateway only reports its health: requests, jobs and followers of the log belong to other processes.
    const isApi = config.serve.has('api')
    const health = createHealth({ config, database, realtime, limits, followers: isApi ? followers : [], queues })
    const services: Services = {
      config,
      tokens,
      keys,
      seal,
      threads,
      markdown,
      pictures,
      decoder,
      storage,
      health,
      realtime,
      packages: packageMaking(database, held, path.join(config.dataDir, 'packages'), release()),
      ...{ operations, endSessions },
      topics: { ephemeral: ephemeralTopics, documents: documentTopics },
    }
    const outside = createClients(config, cleanups, overrides.timeouts)
    const withSongs = hasInventedSongs(config) ? (await import('../stand-in/catalogue.ts')).withInventedSongs : null
    const rankingCache = createRankingCache({
      database,
      clients: { 'ranking-a': outside.rankings.a, 'ranking-b': outside.rankings.b },
      now: () => new Date(),
      onFailure: (failure) => log.warn({ err: failure }, 'ranking platform'),
    })
    const waits = { ...defaultTimeouts, ...overrides.timeouts }
    const catalogue = createCatalogue({
      database,
      client: withSongs?.(outside.catalogueClient) ?? outside.catalogueClient,
      leaderboards: outside.leaderboards,
      patienceMs: waits.cataloguePatienceMs,
      retryMs: waits.catalogueRetryMs,
      now: () => new Date(),
      onFailure: (failure) => log.warn({ err: failure }, 'map catalogue'),
    })
    cleanups.add(() => catalogue.close())
    const clients: Clients = {
      ...outside,
      push: createPush(config, keys.vapid, cleanups, waits.webhookMs),
      rankingCache,
      catalogue,
      assistantSessions: sessionHolders(database, wake),
      controlTurns: controlTurns(database),
      ...rehearsing(parts, () => context, waits.advanceMs),
      leased: leasedOnce(database),
      outside: rememberedOutside(config, outside),
    }

    const context = { database, log, services, clients, now: () => new Date() }
    await database.transaction((tx) => followOrigin(tx, config.media.url, mediaFields))
    for (const part of parts) await part.start?.({ database, services, now: new Date() })

    const constraints = Object.assign({}, ...parts.map((part) => part.constraints ?? {}))
    if (config.redisUrl !== null && config.rateLimits) {
      const endSharing = synchroniseLimits(limits, bus, randomUUID())
      cleanups.add(async () => endSharing())
    }
    const incoming = path.join(config.dataDir, 'media', 'incoming')
    const uploads = new Uploads(incoming, overrides.uploads)
    const reading = new JsonReading()
    cleanups.add(() => reading.close())
    const origins = { mediaUrl: config.media.url, publicUrl: config.publicUrl }
    const kernel = {
      database,
      db: database.db,
      ...{ head, held },
      answers: new Answers(head, overrides.answerBytes),
      limits,
      authenticator: {
        bearer: bearers.verify,
        remembered: bearers.remembered,
        session: (cookies: Cookies, now: Date) => authenticateSession(database, cookies, now),
      },
      parameters: api.parameters,
      publicUrl: config.publicUrl,
      ...{ services, clients },
      secureCookies: config.environment !== 'local',
      problemOf: (error: unknown) => problemOf(error, constraints),
      runDue: clients.rehearsalClocks.runDue,
      ...{ uploads, reading, lifeOf, operations: served },
    }
    const followed = [...documentTopics, ...compatibleReads].map(({ operation }) => operation)
    for (const operation of [...served, ...followed]) lives.set(operation, makeLife(operation, kernel))
    const http = createHttp({
      operations: isApi ? served : [],
      kernel,
      lifeOf,
      log,
      requests,
      metrics,
      trustedProxies: config.trustedProxies,
      strict: config.environment !== 'production',
      isTimed: isTimed(config.environment),
      connections: overrides.connections ?? {},
      bodyBytes: overrides.bodyBytes,
      slowAfterMs: overrides.uploads?.slowAfterMs,
      origins,
    })
    if (isApi) {
      const uses = new VariantUses(database, () => new Date())
      cleanups.add(() => uses.write())
      const delivery = new Delivery({ db: database.db, head, storage, decoder, incoming, uses })
      const mirror = async (address: string) => {
        const found = await findMirrored(database, address, config.media.url, new Date())
        return found === null ? null : mirroredFile(storage, found)
      }
      addMediaRoutes(http, { delivery, mirror, origins, limits, storageUrl: config.media.s3?.publicUrl ?? null })
    }
    addSystemRoutes(http, { database, metrics, health })
    addRealtimeMetrics(metrics, realtime)

    async function startWork(): Promise<void> {
      const { publicUrl, socketUrl, dataDir } = config
      const described = documentsOf({ addresses: { publicUrl, socketUrl }, dataDir, threads, log })
      addDocumentation(http, threads, described.documents)
      describe = described.prepare
      // The system chooses the port for port 0, so it is known only after the process listens.
      const socketAt = () => (config.socketPort === 0 ? (socketAddress ?? socketUrl) : socketUrl)
      addBridge(http, threads, socketAt)
      addPages(http, database, config, socketAt)

      const jobs = [...parts.flatMap((part) => part.jobs ?? []), sweepOfEvents(followers.map(({ name }) => name))]
      const runner = await startJobs(jobs, {
        context,
        connection,
        concurrency: 4,
        maxSlots: overrides.jobSlots,
      })
      cleanups.add(() => runner.stop())

      const due = startDueWork(
        parts.flatMap((part) => part.due ?? []),
        context,
        (err, name) => log.error({ err, due: name }, 'due work'),
      )
      cleanups.add(() => due.stop())

      const holder = randomUUID()
      for (const work of parts.flatMap((part) => part.leased ?? [])) {
        const lease = startLeasedWork(work, holder, context, (err, name) =>
          log.error({ err, leased: name }, 'leased work'),
        )
        cleanups.add(() => lease.stop())
      }
      for (const set of parts.flatMap((part) => part.leasedSets ?? [])) {
        const around = { ...context, wake }
        const held = startLeasedSet(set, holder, around, (err, name) => log.error({ err, leased: name }, 'leased work'))
        cleanups.add(() => held.stop())
      }

      for (const follower of followers) {
        const onError = (err: unknown, { setAside }: Trouble) => {
          if (setAside === undefined) log.error({ err, follower: follower.name }, 'follower')
          else log.error({ err, follower: follower.name, event: setAside.seq, type: setAside.type }, 'event set aside')
        }
        cleanups.add(follow(database, wake, follower, onError))
      }
    }
    let describe = async () => {}
    if (isApi) await startWork()
    const shownHost = config.host.includes(':') ? `[${config.host}]` : config.host
    let socketAddress: string | null = null

    // Closed first: no new request is accepted, and running requests still find every component open.
    cleanups.add(() => http.close())
    cleanups.add(() => realtime.drain())
    // Requests that wait for a thread or the decoder would delay the close.
    cleanups.add(() => threads.close())
    cleanups.add(() => decoder.close())

    return {
      config,
      database,
      services,
      clients,
      http,
      log,
      async listen() {
        await http.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
          await cleanups.run()
          throw listeningFault(error, config)
        })
        if (config.serve.has('gateway')) {
          const socketPort = await realtime.listen(config.host, config.socketPort).catch(async (error: unknown) => {
            await cleanups.run()
            throw listeningFault(error, { host: config.host, port: config.socketPort, variable: 'SOCKET_PORT' })
          })
          socketAddress = `ws://${shownHost}:${socketPort}`
        }
        const { port } = http.server.address() as AddressInfo
        return `http://${shownHost}:${port}`
      },
      get socketAddress() {
        return socketAddress
      },
      describe: () => describe(),
      close: () => cleanups.run(),
      [Symbol.asyncDispose]: () => cleanups.run(),
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
