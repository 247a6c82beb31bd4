import { Problem } from '../../../core/problem.ts'
import { AssistantFailure, type Joined, join } from '../../../infra/clients/assistant/request.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Clients, Services } from '../../../services.ts'
import { openingOf } from './queries.ts'
import { type Outcome, outcomeOf } from './rules/outcomes.ts'
import type { AssistantLink } from './types.ts'

export interface Trial {
  readonly link: AssistantLink
  readonly outcome: Outcome
  /** null if no tournament was joined. */
  readonly joined: Pick<Joined, 'serverVersion' | 'tournaments' | 'tournament'> | null
  /** Tournaments to choose from, where the one that is linked is not there. */
  readonly seen: readonly { readonly guid: string; readonly name: string }[]
  readonly durationMs: number
}

/** Connects by a link, joins the tournament, and disconnects. (AS3) */
export async function tryLink(
  db: Db,
  clients: Pick<Clients, 'assistant'>,
  services: Services,
  link: AssistantLink,
  now: Date,
): Promise<Trial> {
  const startedAt = performance.now()
  const ended = (outcome: Outcome, joined: Trial['joined'], seen: Trial['seen'] = []): Trial => {
    return { link, outcome, joined, seen, durationMs: Math.round(performance.now() - startedAt) }
  }
  try {
    const joined = await join(clients.assistant, await openingOf(db, services, link, now))
    joined.connection.close()
    const { serverVersion, tournament, tournaments } = joined
    return ended(
      { ok: true, serverVersion, permissions: tournament.permissions },
      { serverVersion, tournament, tournaments },
    )
  } catch (error) {
    if (error instanceof AssistantFailure) return ended(outcomeOf(error), null, error.details.seen)
    // The link lacks a token, or its manager has lost the right.
    if (error instanceof Problem) return ended({ ok: false, code: error.code, message: error.message }, null)
    throw error
  }
}
