import { statfs } from 'node:fs/promises'
import { followers } from '../app.ts'
import { createClients } from '../clients.ts'
import { type Config, hasInventedSongs } from '../config.ts'
import { lackingHeaders } from '../infra/delivery/headers.ts'
import { type FollowerState, listFollowerStates } from '../infra/events/positions.ts'
import { createLogs } from '../infra/log.ts'
import { readManifest } from '../infra/web/built.ts'
import { digestOfSources } from '../infra/web/sources.ts'
import { openStorage } from '../media-storage.ts'
import { Cleanups, openRuntime, type Runtime } from '../runtime.ts'

/** Prints one line for each check; the exit code says whether all required checks passed. */
export async function doctor(config: Config): Promise<void> {
  for (const result of [...checkConfiguration(config), ...compatibilityOf(config)]) report(...result)
  report(...(await website()))
  const cleanups = new Cleanups()
  try {
    await checkDataDir(config)
    const runtime = await check('database', async () => openRuntime(config, createLogs('silent').log))
    if (runtime !== undefined) {
      cleanups.add(() => runtime.cleanups.run())
      await checkDatabase(runtime)
      for (const state of await listFollowerStates(runtime.database.db, followers)) report(...followingOf(state))
    }
    await checkOutside(config, cleanups)
  } finally {
    await cleanups.run()
  }
}

type Verdict = 'ok' | 'warn' | 'FAIL'
type Result = readonly [verdict: Verdict, what: string, detail: string]

function report(verdict: Verdict, what: string, detail: string): void {
  console.log(`${verdict.padEnd(4)}  ${what}: ${detail}`)
  if (verdict === 'FAIL') process.exitCode = 1
}

/** The service starts without PUBLIC_URL and owners, but a service for other people needs both. */
function checkConfiguration({ environment, publicUrl, isPublicUrlSet, ownerChatIds, media }: Config): Result[] {
  const reached: Result = ['ok', 'configuration', `${environment}, clients reach the service at ${publicUrl}`]
  if (environment === 'local') return [reached]
  return [
    isPublicUrlSet
      ? reached
      : ['warn', 'configuration', `PUBLIC_URL is not set; links and sign-ins lead to ${publicUrl}`],
    ownerChatIds.size > 0
      ? ['ok', 'owners', `${ownerChatIds.size} named by OWNER_CHAT_IDS`]
      : ['warn', 'owners', 'OWNER_CHAT_IDS is not set; nobody becomes an owner by signing in'],
    // Files of users are written anew and sandboxed; an origin of their own is one more protection. (M21)
    media.url === publicUrl
      ? ['warn', 'media', `delivered from ${media.url} as the site is; set MEDIA_URL to an origin of their own`]
      : ['ok', 'media', `delivered from ${media.url}`],
  ]
}

/** The compatibility door, when it is switched on. */
function compatibilityOf({ compatSocket, serve, socketUrl }: Config): Result[] {
  if (!compatSocket) return []
  const address = `${new URL(socketUrl).origin}/socket.io/`
  return [
    serve.has('gateway')
      ? ['ok', 'compatibility door', `open at ${address}`]
      : ['warn', 'compatibility door', 'COMPAT_SOCKET is on, but SERVE leaves out the gateway, which it is part of'],
  ]
}

/** Without its pages the service answers the API alone. */
async function website(): Promise<Result> {
  const manifest = await readManifest()
  if (manifest === null) return ['warn', 'website', 'it is not built; npm ci builds it, and so does npm start']
  const isPresent = manifest.digest === (await digestOfSources())
  return ['ok', 'website', isPresent ? 'built' : 'built of other sources; npm start builds it anew']
}

async function check<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    report('FAIL', what, error instanceof Error ? error.message : String(error))
    return undefined
  }
}

const toleratedSkewMs = 2_000

async function checkDatabase({ database }: Runtime): Promise<void> {
  const asked = Date.now()
  const { rows } = await database.pool.query<{ version: string; now: Date; clients: number; max: number }>(
    `select current_setting('server_version') as version, clock_timestamp() as now,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as clients,
       current_setting('max_connections')::int as max`,
  )
  const [row] = rows
  if (row === undefined) return
  const answered = Date.now()
  const major = Number.parseInt(row.version, 10)
  report(
    major >= 15 ? 'ok' : 'FAIL',
    'database',
    `PostgreSQL ${row.version}, ${row.clients} of ${row.max} connections${major >= 15 ? '' : '; 15 or later is needed'}`,
  )
  // The database read its clock at some time between `asked` and `answered`.
  const skew = Math.max(0, asked - row.now.getTime(), row.now.getTime() - answered)
  report(skew <= toleratedSkewMs ? 'ok' : 'FAIL', 'clock', `${skew} ms away from the database’s`)
}

/** Followers handle events within a second; when no process of the service runs, events wait longer. */
const toleratedLagSeconds = 300

function followingOf({ name, behind, behindSeconds, setAside, lastSetAside }: FollowerState): Result {
  const what = `events for ${name}`
  if (lastSetAside !== null) {
    const { seq, type, error } = lastSetAside
    return ['warn', what, `${setAside} could not be handled, the last of them ${type}, number ${seq} (${error})`]
  }
  const late = behindSeconds > toleratedLagSeconds
  return [
    late ? 'warn' : 'ok',
    what,
    behind === 0 ? 'all handled' : `${behind} wait, for ${Math.round(behindSeconds)} s`,
  ]
}

const minFreeBytes = 1024 ** 3

async function checkDataDir(config: Config): Promise<void> {
  const found = await statfs(config.dataDir).catch(() => null)
  if (found === null) return report('warn', 'data directory', `${config.dataDir} does not exist yet`)
  const free = found.bavail * found.bsize
  report(
    free >= minFreeBytes ? 'ok' : 'warn',
    'data directory',
    `${config.dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`,
  )
}

const timeouts = { answerMs: 3_000, mailMs: 6_000, catalogueMs: 3_000 }

/** Checks all other services at the same time. A service that is unreachable now does not prevent a start. */
async function checkOutside(config: Config, cleanups: Cleanups): Promise<void> {
  const { chat, rankings, mail, catalogueClient } = createClients(config, cleanups, timeouts)
  const results: (Result | Promise<Result>)[] = [
    config.chat.credentials === null
      ? ['ok', 'chat platform', 'the built-in stand-in is used; no credentials are set']
      : reach('chat platform', () => chat.ping()),
    reach('ranking platform A', () => rankings.a.ping()),
    reach('ranking platform B', () => rankings.b.ping()),
    ...(config.media.s3 === null ? [] : [reach('media storage', () => firstObject(config))]),
    ...(config.media.s3?.publicUrl == null ? [] : [headersOfBucket(config, config.media.s3.publicUrl)]),
    reach('map catalogue', () => catalogueClient.ping()).then((result) => withSongs(config, result)),
    mail === null
      ? ['warn', 'mail', 'SMTP_URL is not set; verification mails are not sent']
      : reach('mail', () => mail.ping()),
  ]
  for (const result of await Promise.all(results)) report(...result)
}

function withSongs(config: Config, [verdict, what, found]: Result): Result {
  return [verdict, what, hasInventedSongs(config) ? `${found}; the invented maps are there all the same` : found]
}

/** Lists the bucket, because only a list tells a missing bucket from an empty one. */
async function firstObject(config: Config): Promise<string | null> {
  const storage = await openStorage(config)
  const { value } = await storage.list('objects/')[Symbol.asyncIterator]().next()
  return value?.name ?? null
}

/** When the bucket is public, a proxy in front of it must add most headers of media. (M19, M21) */
async function headersOfBucket(config: Config, publicUrl: string): Promise<Result> {
  const what = 'media bucket'
  try {
    const name = await firstObject(config)
    if (name === null) return ['ok', what, 'nothing is kept yet whose headers could be looked at']
    const signal = AbortSignal.timeout(timeouts.answerMs)
    const headers = { origin: config.publicUrl }
    const reply = await fetch(`${publicUrl}/${name}`, { method: 'HEAD', headers, signal })
    if (!reply.ok) return ['warn', what, `${publicUrl} answers ${reply.status} for what is kept there`]
    const missing = lackingHeaders(reply.headers)
    if (missing.length === 0) return ['ok', what, 'sends all headers that media have']
    return ['warn', what, `does not send ${missing.join(', ')} as it should; docs/media-bucket.md tells how`]
  } catch (error) {
    return ['warn', what, `cannot be reached (${error instanceof Error ? error.message : String(error)})`]
  }
}

async function reach(what: string, ping: () => Promise<unknown>): Promise<Result> {
  const asked = performance.now()
  try {
    await ping()
    return ['ok', what, `answers after ${Math.round(performance.now() - asked)} ms`]
  } catch (error) {
    return ['warn', what, `cannot be reached (${error instanceof Error ? error.message : String(error)})`]
  }
}
