import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../../core/problem.ts'
import type { Told } from '../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, ask, type Joined, join } from '../../../infra/clients/assistant/request.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import type { LeasedSet, SetContext } from '../../../infra/jobs/lease-sets.ts'
import { isNews, noteUse } from '../../assistant/assistantLinks/commands.ts'
import { openingOf } from '../../assistant/assistantLinks/queries.ts'
import { type Outcome, outcomeOf } from '../../assistant/assistantLinks/rules/outcomes.ts'
import { findLink } from '../../assistant/assistantLinks/store.ts'
import type { AssistantLink } from '../../assistant/assistantLinks/types.ts'
import { refundJobName } from './commands/attempts.ts'
import { type ReportedAttempt, recordReported } from './commands/telling.ts'
import { reportedPlaceOf, tiedMap } from './rules/assistant.ts'
import { listPlatformIds, listWatched } from './store/assistant.ts'
import { findAttempt } from './store/attempts.ts'
import { findQualifier, listMaps } from './store/qualifiers.ts'
import type { Attempt } from './types.ts'

export interface Refund {
  readonly tournament: string
  readonly attempt: string
}

/** How long a request to an unreachable assistant is retried, in milliseconds. Later a refund is of no use. */
const patienceMs = 15 * 60_000

/**
 * Asks the assistant to give an attempt back to a player. The attempt stays void, whatever the assistant answers.
 * (AS24)
 * @throws AssistantFailure if the assistant could not be reached, so that the job is retried
 */
export async function refund({ tournament, attempt: guid }: Refund, context: JobContext): Promise<void> {
  const { database, clients, services, log, now } = context
  const link = await findLink(database.db, tournament)
  const qualifier = await findQualifier(database.db, tournament)
  if (link?.enabled !== true || qualifier === undefined) return
  const attempt = await findAttempt(database.db, qualifier.guid, guid)
  if (attempt === undefined || attempt.voidedAt === null) return
  const about = { tournament, attempt: guid }
  try {
    const joined = await join(clients.assistant, await openingOf(database.db, services, link, now()))
    try {
      const refused = await askFor(joined, link, attempt, context)
      if (refused !== null) log.warn({ ...about, refused }, 'the assistant gave no attempt back')
    } finally {
      joined.connection.close()
    }
  } catch (err) {
    if (err instanceof Problem) log.warn({ ...about, refused: err.code }, 'the assistant gave no attempt back')
    else if (!(err instanceof AssistantFailure)) throw err
    else if (err.code === 'assistant.unreachable' && now().getTime() - attempt.voidedAt.getTime() < patienceMs)
      throw err
    else log.warn({ ...about, refused: err.code }, 'the assistant gave no attempt back')
  }
}

/** @returns the reason of the refusal; null if the attempt was given back */
async function askFor(
  { connection, tournament }: Joined,
  { qualifierEvents, tournamentGuid }: AssistantLink,
  attempt: Attempt,
  { database }: JobContext,
): Promise<string | null> {
  const reported = attempt.source === 'assistant' ? reportedPlaceOf(attempt.externalId) : null
  const ownMap = (await listMaps(database.db, tournamentGuid)).filter(({ guid }) => guid === attempt.mapGuid)
  const places = tournament.qualifiers
    .filter(({ guid }) => qualifierEvents.includes(guid))
    .flatMap(({ guid, maps }) => maps.map((map) => ({ event: guid, map: map.guid, isTied: tiedMap(map, ownMap) })))
  const known = places.find(({ event, map }) => event === reported?.event && map === reported.map)
  const place = known ?? places.find(({ isTied }) => isTied !== undefined)
  const [platformId] = reported === null ? await listPlatformIds(database.db, attempt.userGuid) : [reported.platformId]
  if (place === undefined || platformId === undefined) return 'unknown there'
  const { event, map } = place
  try {
    const { ok, details } = await ask(connection, { type: 'refundAttempts', event, map, platformId, count: 1 })
    if (ok) return null
    return details.type === 'permission' ? `needs ${details.required}` : 'refused'
  } catch (error) {
    // The assistant may have received the request; a second request would give back two attempts.
    if (error instanceof AssistantFailure) return error.code
    throw error
  }
}

const lookMs = 1_000
const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Listens to the attempts of a tournament's qualifier while it is open and linked. (AS24) */
export async function watch(tournamentGuid: string, context: SetContext, signal: AbortSignal): Promise<void> {
  const { database } = context
  const isWanted = async () => !signal.aborted && (await listWatched(database.db, tournamentGuid)).length > 0
  let tries = 0
  while (await isWanted()) {
    const link = await findLink(database.db, tournamentGuid)
    if (link === undefined) return
    const isSame = async () => {
      const current = await findLink(database.db, tournamentGuid)
      return current?.updatedAt.getTime() === link.updatedAt.getTime()
    }
    const outcome = await listen(link, context, signal, async () => (await isWanted()) && (await isSame()))
    if (signal.aborted) return
    // A wrong password stays wrong, so no connection is tried until the link changes. (assistant: Failures)
    if (!outcome.ok && outcome.code === 'assistant.password') {
      while ((await isWanted()) && (await isSame())) await rest(lookMs, signal)
      continue
    }
    tries = outcome.ok ? 0 : tries + 1
    await rest(backoffMs[Math.min(tries, backoffMs.length) - 1] ?? lookMs, signal)
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => {})
}

/** @returns the outcome of connecting, after the connection has ended */
async function listen(
  link: AssistantLink,
  context: SetContext,
  signal: AbortSignal,
  isWanted: () => Promise<boolean>,
): Promise<Outcome> {
  const ending = new AbortController()
  const work = queue(link.tournamentGuid, context, signal)
  let joined: Joined
  try {
    joined = await join(context.clients.assistant, {
      ...(await openingOf(context.database.db, context.services, link, context.now())),
      signal,
      onMessage: (report: Told) => {
        if (report.type === 'attempt') work.add(report)
        else if (report.type === 'unauthorised') ending.abort()
      },
      onEnd: () => ending.abort(),
    })
  } catch (error) {
    if (signal.aborted || (!(error instanceof AssistantFailure) && !(error instanceof Problem))) throw error
    const outcome: Outcome =
      error instanceof AssistantFailure ? outcomeOf(error) : { ok: false, code: error.code, message: error.message }
    await note(link, outcome, context)
    return outcome
  }
  // A database query may hang for longer than the lease is held, so losing the lease closes the connection directly.
  const over = AbortSignal.any([ending.signal, signal])
  const close = () => joined.connection.close()
  over.addEventListener('abort', close, { once: true })
  try {
    const outcome = {
      ok: true,
      serverVersion: joined.serverVersion,
      permissions: joined.tournament.permissions,
    } as const
    await note(link, outcome, context)
    while (!over.aborted && (await isWanted())) await rest(lookMs, over)
    return outcome
  } finally {
    close()
    await work.done()
  }
}

/** Saves the outcome if it is news: a link that keeps failing in the same way is noted once. */
async function note(link: AssistantLink, outcome: Outcome, { database, now }: SetContext): Promise<void> {
  const current = await findLink(database.db, link.tournamentGuid)
  if (current?.updatedAt.getTime() !== link.updatedAt.getTime() || !isNews(current, outcome)) return
  await database.transaction((tx) => noteUse(tx, null, { link: current, outcome }, now()))
}

/** Records the reported attempts one after the other, so that a result finds its placeholder. */
function queue(tournamentGuid: string, { database, log, now }: SetContext, signal: AbortSignal) {
  let last: Promise<void> = Promise.resolve()
  return {
    add(report: ReportedAttempt): void {
      const playedAt = now()
      last = last.then(async () => {
        // Another process may listen by now.
        if (signal.aborted) return
        await database
          .transaction((tx) => recordReported(tx, { tournamentGuid, report, way: 'connection', playedAt, now: now() }))
          .catch((err: unknown) => log.error({ err, tournament: tournamentGuid }, 'attempt of the assistant'))
      })
    },
    done: () => last,
  }
}

/** The maximum of connections in one process. */
const most = 100

/** Each open and linked qualifier is watched by one process, which holds its lease. (AS24) */
export const qualifiersWatched: readonly LeasedSet[] = [
  { name: 'qualifiers.watch', most, hint: 'qualifiers.watch', list: (db) => listWatched(db), run: watch },
]

const refunding: Job = {
  name: refundJobName,
  slots: 4,
  run: (payload, context) => refund(payload as Refund, context),
}

export const qualifiersJobs: readonly Job[] = [refunding]
