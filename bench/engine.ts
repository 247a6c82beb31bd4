import { BracketsManager } from 'brackets-manager'
import { InMemoryDatabase } from 'brackets-memory-db'
import { planElimination, type Seeded } from '../src/engine/elimination.ts'
import { apply, settle } from '../src/engine/progress.ts'
import {
  completions,
  defaultPoints,
  missingRules,
  type QualifierInput,
  qualifierMethods,
} from '../src/engine/qualifier-types.ts'
import { qualifierStandings } from '../src/engine/qualifiers.ts'
import { readSettings } from '../src/engine/settings.ts'
import { standings } from '../src/engine/standings.ts'
import { planSwissFirstRound, planSwissRound } from '../src/engine/swiss.ts'
import type { Board, Match, SideIndex } from '../src/engine/types.ts'
import { during, inTurns, loop, median } from './load.ts'
import { below, type Row, ratio } from './report.ts'

/** The engine alone, without database and HTTP. */
export async function engineAlone(): Promise<Row[]> {
  return [await generation(), growthOfReports(), swissPairing(), qualifierTable()]
}

const nobody = new Map<string, never>()

const seeded = (count: number): Seeded[] =>
  Array.from({ length: count }, (_, index) => ({ seed: index + 1, team: `team ${index + 1}` }))

function doubleElimination(teams: number): readonly Match[] {
  const plan = planElimination(
    seeded(teams),
    'double_elimination',
    readSettings('double_elimination', { grandFinal: 'reset' }, teams),
  )
  return settle(plan, { withdrawn: nobody })
}

/** Generates a bracket, compared with a common library for it, with its own store in memory. */
async function generation(): Promise<Row> {
  const teams = 256
  const seeding = seeded(teams).map(({ team }) => team)
  const measured = await inTurns(
    () =>
      loop(
        during(1, () => async () => {
          doubleElimination(teams)
        }),
        1,
      ),
    () =>
      loop(
        during(1, () => async () => {
          const manager = new BracketsManager(new InMemoryDatabase())
          await manager.create.stage({
            tournamentId: 0,
            name: 'Playoffs',
            type: 'double_elimination',
            seeding,
            settings: { grandFinal: 'double' },
          })
        }),
        1,
      ),
  )
  return ratio(
    'generating a double elimination of 256 teams, engine',
    'brackets-manager with brackets-memory-db',
    measured,
    5,
  )
}

const sizes = [16, 256, 4096] as const
const turns = 5

/** The time of a result must not grow faster than the number of rounds. */
function growthOfReports(): Row {
  const measured = new Map<number, number[]>(sizes.map((size) => [size, []]))
  const settled = new Map(sizes.map((size) => [size, doubleElimination(size)]))
  for (let turn = 0; turn <= turns; turn++) {
    for (const [size, matches] of settled) {
      const each = timeOfReport(matches)
      if (turn > 0) measured.get(size)?.push(each)
    }
  }
  const [small = Number.NaN, middle = Number.NaN, large = Number.NaN] = sizes.map((size) =>
    median(measured.get(size) ?? []),
  )
  return below(
    'a result in a double elimination, engine',
    'itself, at 4096 teams ÷ at 16',
    large / small,
    Math.log2(4096) / Math.log2(16),
    '',
    `${small.toFixed(1)} µs at 16, ${middle.toFixed(1)} µs at 256, ${large.toFixed(1)} µs at 4096`,
  )
}

/**
 * Microseconds of a report, averaged over such brackets played to the end, with about the same number of reports at any
 * size.
 */
function timeOfReport(settled: readonly Match[]): number {
  const reports = 8_000
  const brackets = Array.from(
    { length: Math.ceil(reports / settled.length) },
    () => new Map(settled.map((match) => [match.number, match])),
  )
  let reported = 0
  const started = performance.now()
  for (const matches of brackets) {
    const board: Board = { match: (number) => matches.get(number), withdrawn: nobody, allowDraws: false }
    for (let number = 1; number <= settled.length; number++) {
      if (matches.get(number)?.status !== 'ready') continue
      const decision = { outcome: 'score', winner: (number % 2) as SideIndex, scores: null } as const
      for (const match of apply(board, { kind: 'result', match: number, decision })) matches.set(match.number, match)
      reported++
    }
  }
  return ((performance.now() - started) * 1_000) / reported
}

/**
 * All rounds of several tournaments, in which the better seed wins two times out of three. The first rounds run without
 * a warm-up.
 */
function swissPairing(): Row {
  const times = Array.from({ length: 3 }, (_, index) => timesOfRounds(512, chance(index + 1))).flat()
  const figures = `${times.length} rounds, the median ${median(times).toFixed(0)} ms`
  return below('Swiss pairing of 512 teams, engine', 'the slowest round', Math.max(...times), 1_000, ' ms', figures)
}

function timesOfRounds(teams: number, random: () => number): number[] {
  const settings = readSettings('swiss', {}, teams)
  const rules = { ...settings, withdrawn: nobody, grouped: false }
  const { entrants, matches: first } = planSwissFirstRound(seeded(teams), settings)
  const seeds = new Map(entrants.map(({ team, slot }) => [team, slot]))
  const played: Match[] = []
  const times: number[] = []
  for (let round = first; ; ) {
    const matches = new Map(
      settle({ entrants, matches: round }, { withdrawn: nobody }).map((each) => [each.number, each]),
    )
    const board: Board = { match: (number) => matches.get(number), withdrawn: nobody, allowDraws: false }
    for (const { number, sides } of round) {
      const [one, other] = sides.map(({ team }) => seeds.get(team) ?? 0) as [number, number]
      const better: SideIndex = one < other ? 0 : 1
      const winner: SideIndex = random() < 2 / 3 ? better : better === 0 ? 1 : 0
      const decision = { outcome: 'score', winner, scores: [winner === 0 ? 2 : 1, winner === 0 ? 1 : 2] } as const
      for (const match of apply(board, { kind: 'result', match: number, decision })) matches.set(match.number, match)
    }
    played.push(...matches.values())
    if (times.length + 1 === settings.rounds) return times
    const table = standings(played, entrants, rules)
    const started = performance.now()
    round = planSwissRound(
      { matches: played, entrants, standings: table, withdrawn: nobody },
      settings,
      played.length + 1,
    )
    times.push(performance.now() - started)
  }
}

/** The computation of the whole table, with the slowest method. */
function qualifierTable(): Row {
  const inputs = qualifierMethods.map((method) => ({ input: qualifier(method, chance(1)), times: [] as number[] }))
  for (let turn = 0; turn <= turns; turn++) {
    for (const { input, times } of inputs) {
      const started = performance.now()
      qualifierStandings(input)
      if (turn > 0) times.push(performance.now() - started)
    }
  }
  const measured = inputs.map(({ input: { method }, times }) => ({ method, time: median(times) }))
  const slowest = measured.reduce((most, each) => (each.time > most.time ? each : most))
  return below(
    'standings of a qualifier, 1,000 players on 10 maps, after an attempt, engine',
    'the slowest of its methods',
    slowest.time,
    50,
    ' ms',
    `${slowest.method}; the fastest ${Math.min(...measured.map(({ time }) => time)).toFixed(0)} ms`,
  )
}

export function qualifier(method: QualifierInput['method'], random: () => number): QualifierInput {
  const maxScore = 1_000_000
  const maps = Array.from({ length: 10 }, (_, index) => ({ map: `map ${index}`, weight: 1 + index / 10, maxScore }))
  const players = Array.from({ length: 1_000 }, (_, index) => ({
    player: `player ${index}`,
    team: `team ${Math.floor(index / 4)}`,
    isActive: index % 4 < 3,
    rankingRank: index + 1,
  }))
  const attempts = players.flatMap(({ player, team }) =>
    maps.map(({ map }, index) => ({
      attempt: `${player} on ${map}`,
      player,
      map,
      team,
      score: Math.floor(random() * maxScore),
      accuracy: null,
      completion: index === 9 && random() < 0.1 ? completions[1] : completions[0],
    })),
  )
  const [first] = attempts
  return {
    method,
    settings: { countMaps: 8, topPlayers: 3, points: defaultPoints, missing: missingRules[1], failCounts: false },
    maps,
    players,
    teams: [...new Set(players.map(({ team }) => team))],
    attempts: first === undefined ? attempts : [...attempts, { ...first, attempt: 'the new one', score: maxScore }],
    cutoff: 32,
  }
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
