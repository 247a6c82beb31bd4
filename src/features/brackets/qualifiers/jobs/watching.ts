import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../../../core/problem.ts'
import type { Told } from '../../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, type Joined, join } from '../../../../infra/clients/assistant/request.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { isNews, noteUse } from '../../../assistant/assistantLinks/commands.ts'
import { openingOf } from '../../../assistant/assistantLinks/queries.ts'
import { type Outcome, outcomeOf } from '../../../assistant/assistantLinks/rules/outcomes.ts'
import { findLink } from '../../../assistant/assistantLinks/store/links.ts'
import type { AssistantLink } from '../../../assistant/assistantLinks/types.ts'
import { type ReportedAttempt, recordReported } from '../commands/telling.ts'
import { listWatched } from '../store/assistant.ts'

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
