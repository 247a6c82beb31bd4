import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planElimination } from '../elimination.ts'
import { drawsOf } from '../estimate/draws.ts'
import { absentees, estimate } from '../estimate/estimate.ts'
import { apply, type Change, settle } from '../progress.ts'
import { planRoundRobin } from '../round-robin.ts'
import { readSettings } from '../settings.ts'
import { standings } from '../standings.ts'
import { planSwissFirstRound, planSwissRound } from '../swiss.ts'
import type { Decision, Format, Match, Plan } from '../types.ts'
import { chanceOfGame, chanceOfMatch, courseOf, latenessOf } from './course.ts'
import { nextAct } from './evening.ts'
import type { Act, EveningState, PlayableMatch, PlayedGame, Players } from './types.ts'

/** Evenings of simulated teams, in brackets of the engine. */

interface Given {
  readonly format: Format
  readonly teams: number
  readonly bestOf: number
  readonly seed: string
  readonly rates: Players['rates']
  readonly absent: readonly number[]
  /** Names of teams are GUIDs, which are others in each copy. */
  readonly nameOf: (team: number) => string
  /** The order in which matches are given. */
  readonly shuffle: (matches: readonly PlayableMatch[]) => readonly PlayableMatch[]
  /** Where the clock is stopped, and the evening goes on from what is stored. */
  readonly stops: readonly number[]
  readonly scheduled: ReadonlyMap<number, number>
}

const begin = Date.parse('2026-05-01T18:00:00Z')
const past = new Map([[3, [1080, 1320, 1500, 1620, 1860]]])
const usual: Omit<Given, 'format' | 'teams'> = {
  ...{
    bestOf: 3,
    seed: 'evening',
    rates: { crash: 0, late: 0, claim: 0 },
    stops: [],
    scheduled: new Map(),
    absent: [],
  },
  nameOf: (team) => `team ${team}`,
  shuffle: (matches) => matches,
}

interface Line {
  readonly at: number
  readonly kind: Act['kind']
  readonly number: number
  readonly game: PlayedGame | null
}

/** Plays until nothing happens any more, and returns what did. */
function playOut({ format, teams, bestOf, seed, rates, absent, nameOf, shuffle, stops, scheduled }: Given) {
  const settings = readSettings(format, { bestOf }, teams)
  const entrants = Array.from({ length: teams }, (_, team) => ({
    ...{ slot: team + 1, seed: team + 1, team: nameOf(team) },
  }))
  const strengths = new Map(entrants.map(({ team }, index) => [team, 1 - index / (teams - 1)]))
  const players: Players = { seed, strengths, durations: past, rates, absent: new Set(absent.map(nameOf)) }
  const withdrawn = new Map()
  const plan: Plan =
    format === 'round_robin'
      ? planRoundRobin(entrants, settings)
      : format === 'swiss'
        ? planSwissFirstRound(entrants, settings)
        : planElimination(entrants, format, settings)
  const matches = new Map(settle(plan, { withdrawn }).map((match) => [match.number, match]))
  const times = new Map<number, { startedAt?: number; completedAt?: number }>()
  const log: Line[] = []
  let [now, rounds] = [begin, format === 'swiss' ? 1 : 0]
  const board = { withdrawn, allowDraws: false, match: (number: number) => matches.get(number) }
  const playable = (match: Match): PlayableMatch => {
    const [first, second] = match.sides.map(({ team }) => team)
    const isOver = match.status === 'completed' || match.status === 'cancelled'
    const time = times.get(match.number)
    return {
      ...{ division: 'a', number: match.number, run: 0, bracket: 'b', bestOf: match.bestOf },
      status: isOver ? 'over' : (match.status as 'pending' | 'ready' | 'running'),
      teams: [first ?? null, second ?? null],
      scheduledAt: scheduled.get(match.number) ?? null,
      startedAt: time?.startedAt ?? null,
      completedAt: time?.completedAt ?? null,
      games: match.games.length,
      isTheirs: true,
    }
  }
  /** Teams that did not appear are withdrawn. */
  const leave = ({ match, winner }: Extract<Act, { kind: 'walkover' }>) => {
    for (const [side, team] of match.teams.entries()) {
      if (side === winner || team === null) continue
      const own = [...matches.values()].filter(({ sides }) => sides.some((each) => each.team === team))
      const numbers = own.map(({ number }) => number)
      for (const each of apply(board, { kind: 'withdraw', team, policy: 'walkover', matches: numbers })) {
        matches.set(each.number, each)
      }
      withdrawn.set(team, 'walkover')
    }
  }
  for (;;) {
    const paired = format === 'swiss' ? [{ name: 'b', roundsLeft: settings.rounds - rounds }] : []
    const state: EveningState = {
      now,
      begin,
      matches: shuffle([...matches.values()].map(playable)),
      paired,
      filled: [],
    }
    const act = nextAct(state, players)
    if (act === null) return { log, matches, players }
    const stop = stops.find((each) => each > now && each < act.at)
    if (stop !== undefined) {
      now = stop
      continue
    }
    now = act.at
    const number = 'match' in act ? act.match.number : 0
    log.push({ at: act.at, kind: act.kind, number, game: act.kind === 'game' ? act.game : null })
    if (!('match' in act)) {
      const all = [...matches.values()]
      const rules = { ...settings, withdrawn, grouped: false }
      const next = planSwissRound(
        { matches: all, entrants: plan.entrants, standings: standings(all, plan.entrants, rules), withdrawn },
        settings,
        all.length + 1,
      )
      for (const match of settle({ entrants: plan.entrants, matches: next }, { withdrawn }))
        matches.set(match.number, match)
      rounds += 1
      continue
    }
    const change = changeOf(act)
    for (const match of apply(board, change)) {
      const before = matches.get(match.number)
      matches.set(match.number, match)
      if (match.status === 'completed' && before?.status !== 'completed') {
        times.set(match.number, { ...times.get(match.number), completedAt: now })
      }
    }
    if (act.kind === 'start') times.set(number, { startedAt: now })
    if (act.kind === 'walkover') leave(act)
  }
}

function changeOf(act: Extract<Act, { readonly match: PlayableMatch }>): Change {
  const { number } = act.match
  if (act.kind === 'start') return { kind: 'start', match: number }
  if (act.kind === 'game') return { kind: 'game', match: number, game: act.game }
  if (act.kind === 'move') throw new Error('these matches have no sessions')
  const { winner } = act
  const outcome = winner === null ? 'double_forfeit' : 'walkover'
  return { kind: 'result', match: number, decision: { outcome, winner, scores: null } as Decision }
}

const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const

const evenings = fc.record({
  format: fc.constantFrom(...formats),
  teams: fc.integer({ min: 2, max: 9 }),
  bestOf: fc.constantFrom(1, 3, 5),
  seed: fc.string({ maxLength: 12 }),
  absent: fc.subarray([0, 1]),
  rates: fc.record({ crash: fc.constantFrom(0, 0.3, 1), late: fc.constantFrom(0, 0.5, 1), claim: fc.constant(0) }),
})

describe('an evening', () => {
  test('is the same with the same seed, whatever teams are called, in whichever order, however often it is stopped', () => {
    fc.assert(
      fc.property(
        evenings,
        fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
        fc.array(fc.nat({ max: 36_000_000 }), { maxLength: 20 }),
        (given, lots, stops) => {
          const once = playOut({ ...usual, ...given })
          const again = playOut({
            ...{ ...usual, ...given },
            nameOf: (team) => `${lots[team]} ${team}`,
            shuffle: (matches) => matches.toReversed(),
            stops: stops.map((after) => begin + after),
          })
          expect(again.log).toEqual(once.log)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('is played to its end, and no team plays two matches at once', () => {
    fc.assert(
      fc.property(evenings, (given) => {
        const { log, matches } = playOut({ ...usual, ...given })
        expect([...matches.values()].filter(({ status }) => !['completed', 'cancelled'].includes(status))).toEqual([])
        const running = new Map<number, readonly (string | null)[]>()
        let last = begin
        for (const { at, kind, number, game } of log) {
          expect(at).toBeGreaterThanOrEqual(last)
          last = at
          const match = matches.get(number)
          if (match === undefined) continue
          if (kind === 'start') {
            const teams = match.sides.map(({ team }) => team)
            expect([...running.values()].flat().filter((team) => teams.includes(team))).toEqual([])
            running.set(number, teams)
          } else if (game?.number === match.games.length) running.delete(number)
        }
        expect(running.size).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  test('gives the matches of teams that do not appear to their opponents, ten minutes after they were due', () => {
    const { log } = playOut({ ...usual, format: 'single_elimination', teams: 4, absent: [0] })
    const [first] = log.filter(({ kind }) => kind === 'walkover')
    expect(first).toMatchObject({ number: 1, at: begin + 600_000 })
    expect(log.filter(({ kind }) => kind === 'start').map(({ number }) => number)).toEqual([2, 3])
  })

  test('has other results with another seed', () => {
    const all = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify(playOut({ ...usual, format: 'round_robin', teams: 6, seed: `${index}` }).log),
    )
    expect(new Set(all).size).toBe(20)
  })

  test('waits for the time of a match, and for teams that are late', () => {
    const scheduled = new Map([[1, begin + 3_600_000]])
    const given = { ...usual, format: 'single_elimination', teams: 4 } as const
    const starts = (log: readonly Line[]) =>
      new Map(log.flatMap(({ kind, number, at }) => (kind === 'start' ? [[number, at - begin] as const] : [])))
    const punctual = starts(playOut({ ...given, scheduled }).log)
    expect([punctual.get(1), punctual.get(2)]).toEqual([3_600_000, 0])
    const late = playOut({ ...given, scheduled, rates: { crash: 0, late: 1, claim: 0 } })
    const match = { division: 'a', number: 1, run: 0 }
    expect(starts(late.log).get(1)).toBe(3_600_000 + 1_000 * latenessOf(match, late.players))
    expect(latenessOf(match, late.players)).toBeGreaterThan(0)
    expect(latenessOf(match, late.players)).toBeLessThanOrEqual(600)
  })
})

test.each([
  ['single_elimination', 8, 1, 0],
  ['single_elimination', 16, 3, 0],
  ['single_elimination', 32, 3, 0],
  ['single_elimination', 16, 5, 2],
  ['single_elimination', 32, 1, 3],
  ['double_elimination', 8, 3, 0],
  ['double_elimination', 16, 3, 2],
  ['double_elimination', 12, 1, 0],
  ['double_elimination', 24, 3, 1],
  ['double_elimination', 32, 3, 0],
  ['round_robin', 4, 3, 0],
  ['round_robin', 6, 5, 0],
  ['round_robin', 8, 3, 1],
  ['round_robin', 10, 1, 0],
  ['round_robin', 6, 3, 2],
  ['swiss', 8, 3, 0],
  ['swiss', 12, 3, 1],
  ['swiss', 16, 3, 0],
  ['swiss', 11, 1, 0],
  ['swiss', 24, 3, 2],
] as const)(
  'an evening of %s with %i teams, best of %i and %i absent takes as long as estimates say',
  (format, teams, bestOf, noShows) => {
    const settings = readSettings(format, { bestOf }, teams)
    const places = Array.from({ length: teams }, (_, team) => team)
    const problem = {
      ...{
        brackets: [{ format, settings, places, after: [] }],
        durations: past,
        channels: 16,
        seed: 'evening',
        runs: 200,
      },
      ...{ noShows: [noShows], strengths: places.map((place) => 1 - place / (teams - 1)) },
    }
    const [scenario] = estimate(problem)
    const hours = Array.from({ length: 40 }, (_, run) => {
      const absent = absentees(drawsOf('evening'), run, teams).slice(0, noShows)
      const { log } = playOut({ ...usual, format, teams, bestOf, absent, seed: `evening ${run}` })
      return ((log.at(-1)?.at ?? begin) - begin) / 3_600_000
    }).toSorted((one, other) => one - other)
    const { p50, p90 } = scenario?.hours ?? { p50: 0, p90: 0 }
    expect(Math.abs((hours[19] ?? 0) / p50 - 1)).toBeLessThan(noShows === 0 ? 0.04 : 0.1)
    expect(Math.abs((hours[35] ?? 0) / p90 - 1)).toBeLessThan(noShows === 0 ? 0.08 : 0.1)
  },
)

describe('a match', () => {
  const strong = new Map([
    ['strong', 1],
    ['weak', 0],
  ])
  const players = {
    seed: 'match',
    strengths: strong,
    durations: past,
    rates: { crash: 0, late: 0, claim: 0 },
    absent: new Set<string>(),
  }
  const of = (number: number, bestOf = 3) =>
    ({ division: 'a', number, run: 0, bestOf, teams: ['weak', 'strong'] }) as const

  test('takes as long as a past one of its best-of, else 10 minutes for each game, and longer after a crash', () => {
    const decided = (games: readonly PlayedGame[], bestOf: number) =>
      games.find(({ number }) => {
        const won = games.slice(0, number).filter(({ winner }) => winner === games[number - 1]?.winner)
        return 2 * won.length > bestOf
      })
    for (let number = 1; number <= 50; number++) {
      expect(past.get(3)).toContain(decided(courseOf(of(number), players), 3)?.endsAfter)
      expect(decided(courseOf(of(number, 5), players), 5)?.endsAfter).toBe(3_000)
      const crashing = courseOf(of(number, 5), { ...players, rates: { crash: 1, late: 0, claim: 0 } })
      expect(crashing.map(({ crashes }) => crashes)).toEqual([2, 2, 2, 2, 2])
      expect(decided(crashing, 5)?.endsAfter).toBeGreaterThan(3_000)
    }
  })

  test('is won by maps as often as strengths say, with the higher score for the winner', () => {
    for (const bestOf of [1, 3, 5, 7, 99]) {
      for (const chance of [0.02, 0.3, 0.5, 0.9]) {
        expect(chanceOfMatch(chanceOfGame(chance, bestOf), bestOf)).toBeCloseTo(chance, 6)
      }
    }
    expect(chanceOfMatch(0.6, 3)).toBeCloseTo(0.648, 10)
    let won = 0
    for (let number = 1; number <= 2_000; number++) {
      const games = courseOf(of(number), players)
      for (const { winner, scores } of games) {
        expect(scores[winner]).toBeGreaterThan(scores[1 - winner] ?? 0)
        expect(Math.max(...scores)).toBeLessThanOrEqual(1_000_000)
      }
      if (games.filter(({ winner }) => winner === 1).length >= 2) won++
    }
    expect(won / 2_000).toBeGreaterThan(0.965)
    expect(won / 2_000).toBeLessThan(0.995)
  })

  test('goes otherwise when it is played once more, and in another division', () => {
    const winners = (more: object) =>
      Array.from({ length: 40 }, (_, index) =>
        courseOf({ ...of(index + 1), teams: ['even', 'equal'], ...more }, players).map(({ winner }) => winner),
      )
    const all = [winners({}), winners({ run: 1 }), winners({ division: 'b' })].map((each) => JSON.stringify(each))
    expect(new Set(all).size).toBe(3)
  })
})
