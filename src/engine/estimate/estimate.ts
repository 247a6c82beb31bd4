import { type Draw, drawsOf, purposes } from './draws.ts'
import { playEvening } from './evening.ts'
import { rangeOf, rangeOfCounts } from './figures.ts'
import { type Programme, programmeOf } from './layout.ts'
import type { EstimateProblem, Evening, Range, Scenario } from './types.ts'

/**
 * Simulates an evening many times, and returns how long it takes for each number of no-shows. Equal problems have equal
 * answers. (R5)
 */
export function estimate(problem: EstimateProblem): readonly Scenario[] {
  const programme = programmeOf(problem)
  const draw = drawsOf(problem.seed)
  const orders = Array.from({ length: problem.runs }, (_, run) => absentees(draw, run, problem.strengths.length))
  return problem.noShows.map((noShows) => scenarioOf(problem, programme, draw, orders, noShows))
}

/**
 * All teams in the order in which they stay away in this run. Who stays away among few is also away among more, so that
 * scenarios differ only by the additional teams.
 */
export function absentees(draw: Draw, run: number, teams: number): readonly number[] {
  const lots = Array.from({ length: teams }, (_, team) => draw(run, team, purposes.absence))
  return lots.map((_, team) => team).toSorted((one, other) => (lots[one] ?? 0) - (lots[other] ?? 0))
}

function scenarioOf(
  problem: EstimateProblem,
  programme: Programme,
  draw: Draw,
  orders: readonly (readonly number[])[],
  noShows: number,
): Scenario {
  const waits = new Map<number, number>()
  const evenings = orders.map((order, run): Omit<Evening, 'waits'> => {
    const evening = playEvening(programme, problem, draw, run, new Set(order.slice(0, noShows)))
    for (const wait of evening.waits) {
      const minutes = Math.round(wait / 60)
      waits.set(minutes, (waits.get(minutes) ?? 0) + 1)
    }
    const { seconds, matches, channels, backToBacks } = evening
    return { seconds, matches, channels, backToBacks }
  })
  const ascending = [...waits].toSorted(([one], [other]) => one - other)
  return {
    teams: problem.strengths.length,
    noShows,
    matches: rangeOf(evenings.map(({ matches }) => matches)),
    hours: hoursOf(evenings.map(({ seconds }) => seconds)),
    channels: Array.from({ length: problem.channels }, (_, index) => ({
      hours: hoursOf(evenings.map(({ channels }) => channels[index]?.seconds ?? 0)),
      matches: rangeOf(evenings.map(({ channels }) => channels[index]?.matches ?? 0)).p50,
    })),
    waitMinutes: { ...rangeOfCounts(ascending), most: ascending.at(-1)?.[0] ?? 0 },
    backToBacks: rangeOf(evenings.map(({ backToBacks }) => backToBacks)),
  }
}

/** Hours with two decimals. */
function hoursOf(seconds: readonly number[]): Range {
  const { p50, p90 } = rangeOf(seconds)
  return { p50: Math.round(p50 / 36) / 100, p90: Math.round(p90 / 36) / 100 }
}
