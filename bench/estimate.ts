import { estimate } from '../src/engine/estimate/estimate.ts'
import type { EstimateProblem } from '../src/engine/estimate/types.ts'
import { readSettings, type SettingsInput } from '../src/engine/settings.ts'
import { standings } from '../src/engine/standings.ts'
import { planSwissFirstRound, planSwissRound } from '../src/engine/swiss.ts'
import type { Format, Match } from '../src/engine/types.ts'
import { during, inTurns, loop } from './load.ts'
import { below, type Row, ratio } from './report.ts'

const teams = 256
const runs = 500
const seeded = Array.from({ length: teams }, (_, index) => ({ seed: index + 1, team: `team ${index + 1}` }))

/** Estimates of an evening of 256 teams, without database and HTTP. */
export async function estimates(): Promise<Row[]> {
  return [slowest(), await againstRealPairings()]
}

function problemOf(format: Format, settings: SettingsInput, size: number, times: number): EstimateProblem {
  const places = Array.from({ length: size }, (_, place) => place)
  return {
    brackets: [{ format, settings: readSettings(format, settings, size), places, after: [] }],
    strengths: places.map((place) => 1 - place / size),
    noShows: [8],
    channels: 16,
    seed: 'bench',
    runs: times,
    durations: new Map([[3, [1200, 1500, 1800, 2100, 2400]]]),
  }
}

function slowest(): Row {
  const cases = [
    ['single_elimination', {}],
    ['double_elimination', {}],
    ['swiss', {}],
    ['round_robin', { groups: 8 }],
  ] as const
  const times = cases.map(([format, settings]) => {
    const started = performance.now()
    estimate(problemOf(format, settings, teams, runs))
    return performance.now() - started
  })
  return below(
    'estimate of an evening of 256 teams, engine',
    'the slowest format, 500 runs',
    Math.max(...times),
    5_000,
    ' ms',
    cases.map(([format], index) => `${format} ${times[index]?.toFixed(0)} ms`).join(', '),
  )
}

/** One evening against only the pairings of the same bracket by the engine, without channels and times. */
async function againstRealPairings(): Promise<Row> {
  const problem = problemOf('swiss', {}, teams, 1)
  const each = (work: () => void) => () =>
    loop(
      during(1, () => async () => work()),
      1,
    )
  const measured = await inTurns(
    each(() => estimate(problem)),
    each(playForReal),
  )
  return ratio(
    'one simulated evening of a Swiss bracket of 256 teams',
    'the pairings of such a bracket by the engine',
    measured,
    5,
  )
}

function playForReal(): void {
  const settings = readSettings('swiss', {}, teams)
  const rules = { ...settings, withdrawn: nobody, grouped: false }
  const { entrants, matches: first } = planSwissFirstRound(seeded, settings)
  const played: Match[] = first.map(won)
  for (let round = 2; round <= settings.rounds; round++) {
    const board = { matches: played, entrants, standings: standings(played, entrants, rules), withdrawn: nobody }
    played.push(...planSwissRound(board, settings, played.length + 1).map(won))
  }
}

const nobody = new Map<string, never>()

function won(match: Match): Match {
  const [first, second] = match.sides
  const sides: Match['sides'] = [
    { ...first, result: 'win' },
    { ...second, result: 'loss' },
  ]
  return { ...match, status: 'completed', outcome: 'score', sides }
}
