import { estimate } from '../../../engine/estimate/estimate.ts'
import type { EstimateProblem, Scenario } from '../../../engine/estimate/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Task, Threads } from '../../../infra/threads/threads.ts'
import { minEntrants } from '../../brackets/brackets/rules/entrants.ts'
import { listBrackets, listEntrantsOfTournament } from '../../brackets/brackets/store/brackets.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { EstimateBody } from './bodies.ts'
import { durationsOf, eveningOf, readAssumptions, runs } from './rules/problem.ts'
import { listOwnDurations, listPastDurations } from './store.ts'
import { type EstimateView, estimateView } from './views.ts'

/** Each needs a processor for seconds, so no more run at a time, and a reader does not wait for others. (R5) */
const atOnce = 2

const simulation: Task = {
  module: new URL('../../../engine/estimate/estimate.ts', import.meta.url),
  name: estimate.name,
  atOnce,
}

/**
 * Simulates evenings in a thread. Nothing is stored.
 * @throws Problem `estimate.invalid`, `bracket.settings_invalid`, `service.busy`
 */
export async function makeEstimate(
  db: Db,
  threads: Threads,
  { guid, organiserGuid }: Pick<Tournament, 'guid' | 'organiserGuid'>,
  body: EstimateBody,
): Promise<EstimateView> {
  const assumptions = readAssumptions(body)
  const [brackets, entrants, own, past] = await Promise.all([
    listBrackets(db, guid),
    listEntrantsOfTournament(db, guid),
    listOwnDurations(db, guid),
    listPastDurations(db, organiserGuid),
  ])
  const teams = Map.groupBy(entrants, ({ bracketGuid }) => bracketGuid)
  const standing = brackets
    .map((bracket) => ({ ...bracket, teams: (teams.get(bracket.guid) ?? []).map(({ team }) => team) }))
    .filter((bracket) => bracket.teams.length >= minEntrants)
  const evening = eveningOf(standing, assumptions)
  const { durations, basis } = durationsOf(evening.brackets, own, past)
  const { noShows, channels, seed } = assumptions
  const problem: EstimateProblem = { ...evening, noShows, channels, seed, runs, durations }
  const scenarios = await threads.run<EstimateProblem, readonly Scenario[]>(simulation, problem)
  return estimateView(seed, basis, scenarios)
}
