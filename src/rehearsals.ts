import { simulatedPlayers } from './features/planning/playing/prepare.ts'
import { type RehearsedPart, rehearsalClocks } from './features/planning/rehearsals/prepare.ts'
import type { JobContext } from './infra/jobs/jobs.ts'

/**
 * What commands in rehearsals use besides the database: their clocks, and the teams that play there.
 * @param context the service's own, once it is there
 * @param budgetMs how long one call may work; each does one step at least
 */
export function rehearsing(parts: readonly RehearsedPart[], context: () => JobContext, budgetMs: number) {
  return {
    rehearsalClocks: rehearsalClocks(parts, context, budgetMs),
    simulatedPlayers: simulatedPlayers(context, budgetMs),
  }
}
