import { Problem } from '../../../../core/problem.ts'
import { AssistantFailure, ask, type Joined, join } from '../../../../infra/clients/assistant/request.ts'
import type { JobContext } from '../../../../infra/jobs/jobs.ts'
import { openingOf } from '../../../assistant/assistantLinks/queries.ts'
import { findLink } from '../../../assistant/assistantLinks/store/links.ts'
import type { AssistantLink } from '../../../assistant/assistantLinks/types.ts'
import { reportedPlaceOf, tiedMap } from '../rules/assistant.ts'
import { listPlatformIds } from '../store/assistant.ts'
import { findAttempt } from '../store/attempts.ts'
import { findQualifier, listMaps } from '../store/qualifiers.ts'
import type { Attempt } from '../types.ts'

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
