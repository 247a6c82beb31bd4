import { readFileSync } from 'node:fs'
import { versions } from 'node:process'
import type { Outside } from './clients.ts'
import { type Config, hasInventedSongs } from './config.ts'
import { lazily } from './core/lazily.ts'
import type { Database } from './infra/db/database.ts'
import { lackingHeaders } from './infra/delivery/headers.ts'
import { type Following, listFollowerStates } from './infra/events/positions.ts'
import {
  checked,
  databaseChecks,
  followerCheck,
  processChecks,
  queueCheck,
  readinessCheck,
  roomCheck,
  worstFirst,
} from './infra/health/checks.ts'
import { readDatabaseState, readRoom, startedAt } from './infra/health/measures.ts'
import { sumOfMedia } from './infra/health/store.ts'
import type { Check, Health, Process, Queue, Verdict } from './infra/health/types.ts'
import type { RateLimits } from './infra/http/limits.ts'
import { jobsQueue } from './infra/jobs/waiting.ts'
import type { Realtime } from './infra/realtime/realtime.ts'
import { readManifest } from './infra/web/built.ts'
import { digestOfSources } from './infra/web/sources.ts'
import { openStorage } from './media-storage.ts'

/** Whether the service is well: the one place that `doctor`, `/readyz`, the metrics and administrators read. */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const install = (text: string) => ({ text, section: 'Install' })

/** The service starts without PUBLIC_URL and owners, but a service for other people needs both. */
export function configurationChecks(config: Config): readonly Check[] {
  const { environment, publicUrl, isPublicUrlSet, ownerChatIds, media, compatSocket, serve, socketUrl } = config
  const door = !compatSocket
    ? []
    : [
        checked(
          serve.has('gateway') ? 'ok' : 'warn',
          'compatibility door',
          serve.has('gateway')
            ? `open at ${new URL(socketUrl).origin}/socket.io/`
            : 'COMPAT_SOCKET is on, but SERVE leaves out the gateway, which it is part of',
          install('Add the gateway to SERVE, or switch COMPAT_SOCKET off.'),
        ),
      ]
  const reached = `${environment}, clients reach the service at ${publicUrl}`
  const isLocal = environment === 'local'
  const address = checked(
    isLocal || isPublicUrlSet ? 'ok' : 'warn',
    'configuration',
    isLocal || isPublicUrlSet ? reached : `PUBLIC_URL is not set; links and sign-ins lead to ${publicUrl}`,
    install('Set PUBLIC_URL to the address that people use.'),
  )
  if (isLocal) return [address, ...door]
  return [
    address,
    checked(
      ownerChatIds.size > 0 ? 'ok' : 'warn',
      'owners',
      ownerChatIds.size > 0
        ? `${ownerChatIds.size} named by OWNER_CHAT_IDS`
        : 'OWNER_CHAT_IDS is not set; nobody becomes an owner by signing in',
      install('Set OWNER_CHAT_IDS to the chat IDs of the owners.'),
    ),
    // Files of users are written anew and sandboxed; an origin of their own is one more protection. (M21)
    checked(
      media.url === publicUrl ? 'warn' : 'ok',
      'media',
      media.url === publicUrl
        ? `delivered from ${media.url} as the site is; set MEDIA_URL to an origin of their own`
        : `delivered from ${media.url}`,
      install('Give media an origin of their own, and set MEDIA_URL to it.'),
    ),
    ...door,
  ]
}

/** Without its pages the service answers the API alone. */
export async function websiteCheck(): Promise<Check> {
  const manifest = await readManifest()
  const advice = install('Install the version anew: npm ci builds the website.')
  if (manifest === null) {
    return checked('warn', 'website', 'it is not built; npm ci builds it, and so does npm start', advice)
  }
  const isPresent = manifest.digest === (await digestOfSources())
  return checked('ok', 'website', isPresent ? 'built' : 'built of other sources; npm start builds it anew', advice)
}

interface Sources {
  readonly config: Config
  readonly database: Database
  readonly realtime: Pick<Realtime, 'unwell' | 'peers'>
  readonly limits: Pick<RateLimits, 'refused'>
  readonly followers: readonly Following[]
  readonly queues: readonly Queue[]
}

export function createHealth({ config, database, realtime, limits, followers, queues }: Sources): Health {
  const watched = [...queues, jobsQueue]
  // The sources do not change while a process runs.
  const website = lazily(websiteCheck)
  const process = (): Process => ({
    startedAt,
    sockets: [...realtime.peers].length,
    maxSockets: config.socketLimit,
    requestsWaiting: database.pool.waitingCount,
    refused: limits.refused,
  })
  const health: Health = {
    process,
    watched,
    waiting: ({ read }) => read(database.db),
    versions: { service: version, node: versions.node },
    async ready() {
      const isReached = await database.ping().then(
        () => true,
        () => false,
      )
      return isReached ? (realtime.unwell ?? 'ready') : 'database unreachable'
    },
    followers: () => listFollowerStates(database.db, followers),
    queues: () =>
      Promise.all(watched.map(async ({ name, help, read }) => ({ name, help, ...(await read(database.db)) }))),
    async read(now) {
      const [ready, states, waiting, state, room, media, pages] = await Promise.all([
        health.ready(),
        health.followers(),
        health.queues(),
        readDatabaseState(database),
        readRoom(config.dataDir),
        sumOfMedia(database.db),
        website(),
      ])
      const own = process()
      const checks = worstFirst([
        readinessCheck(ready),
        ...databaseChecks(state),
        ...processChecks(own, now),
        ...states.map(followerCheck),
        ...waiting.map(queueCheck),
        roomCheck(config.dataDir, room),
        ...configurationChecks(config),
        pages,
      ])
      return {
        checks,
        followers: states,
        queues: waiting,
        database: state,
        room,
        media: { ...media, isInBucket: config.media.s3 !== null },
        process: own,
      }
    },
  }
  return health
}

const askAgainMs = 60_000

/** Whether the other services answer, asked once a minute at most, however many want to know. */
export function rememberedOutside(config: Config, clients: Outside): () => Promise<readonly Check[]> {
  let last: { readonly at: number; readonly checks: Promise<readonly Check[]> } | undefined
  return () => {
    const at = performance.now()
    if (last === undefined || at - last.at > askAgainMs) last = { at, checks: outsideChecks(config, clients) }
    return last.checks
  }
}

/** Asks all other services at the same time. A service that is unreachable now does not prevent a start. */
export async function outsideChecks(config: Config, clients: Outside): Promise<readonly Check[]> {
  const { chat, rankings, mail, catalogueClient } = clients
  const { s3 } = config.media
  return Promise.all([
    config.chat.credentials === null
      ? answered('ok', 'chat platform', 'the built-in stand-in is used; no credentials are set')
      : reach('chat platform', () => chat.ping()),
    reach('ranking platform A', () => rankings.a.ping()),
    reach('ranking platform B', () => rankings.b.ping()),
    ...(s3 === null ? [] : [reach('media storage', () => firstObject(config))]),
    ...(s3?.publicUrl == null ? [] : [headersOfBucket(config, s3.publicUrl)]),
    reach('map catalogue', () => catalogueClient.ping()).then((check) => withSongs(config, check)),
    mail === null
      ? checked(
          'warn',
          'mail',
          'SMTP_URL is not set; verification mails are not sent',
          install('Set SMTP_URL, or people cannot confirm their e-mail addresses.'),
        )
      : reach('mail', () => mail.ping()),
  ])
}

const answered = (verdict: Verdict, what: string, detail: string): Check =>
  checked(verdict, what, detail, {
    text: 'What needs it waits or is refused until it answers. If it works for others, look at its setting.',
    section: 'Install',
  })

function withSongs(config: Config, check: Check): Check {
  return hasInventedSongs(config)
    ? { ...check, detail: `${check.detail}; the invented maps are there all the same` }
    : check
}

/** Lists the bucket, because only a list tells a missing bucket from an empty one. */
async function firstObject(config: Config): Promise<string | null> {
  const storage = await openStorage(config)
  const { value } = await storage.list('objects/')[Symbol.asyncIterator]().next()
  return value?.name ?? null
}

const bucketAnswerMs = 3_000

/** When the bucket is public, a proxy in front of it must add most headers of media. (M19, M21) */
async function headersOfBucket(config: Config, publicUrl: string): Promise<Check> {
  const what = 'media bucket'
  try {
    const name = await firstObject(config)
    if (name === null) return answered('ok', what, 'nothing is kept yet whose headers could be looked at')
    const signal = AbortSignal.timeout(bucketAnswerMs)
    const headers = { origin: config.publicUrl }
    const reply = await fetch(`${publicUrl}/${name}`, { method: 'HEAD', headers, signal })
    if (!reply.ok) return answered('warn', what, `${publicUrl} answers ${reply.status} for what is kept there`)
    const missing = lackingHeaders(reply.headers)
    if (missing.length === 0) return answered('ok', what, 'sends all headers that media have')
    return answered('warn', what, `does not send ${missing.join(', ')} as it should; docs/media-bucket.md tells how`)
  } catch (error) {
    return answered('warn', what, `cannot be reached (${error instanceof Error ? error.message : String(error)})`)
  }
}

async function reach(what: string, ping: () => Promise<unknown>): Promise<Check> {
  const asked = performance.now()
  try {
    await ping()
    return answered('ok', what, `answers after ${Math.round(performance.now() - asked)} ms`)
  } catch (error) {
    return answered('warn', what, `cannot be reached (${error instanceof Error ? error.message : String(error)})`)
  }
}
