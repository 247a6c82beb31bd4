import type { AssistantSession } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Known } from '../../data/writes.ts'

/** The matches that are played by the assistant now. */
export const sessionsAddress = (tournament: string) =>
  address('/tournaments/{tournament}/assistant/sessions', { tournament })

/** Puts what a command answered in its place. */
export function tellSession(known: Known, tournament: string, changed: AssistantSession): void {
  known.change(sessionsAddress(tournament), ({ sessions }) => ({
    sessions: [...sessions.filter(({ guid }) => guid !== changed.guid), changed],
  }))
}
