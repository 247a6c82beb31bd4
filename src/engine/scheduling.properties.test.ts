import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faults, firstComeFirstServed, maxMatches, standsFor, standsOf } from '../../test/engine/schedules.ts'
import { quarter } from './availability.ts'
import { planElimination } from './elimination.ts'
import type { Answered, SchedulingMatch, SchedulingProblem } from './scheduling/types.ts'
import { schedule } from './scheduling.ts'
import { readSettings } from './settings.ts'

/**
 * Checks schedules of random problems with a checker of the rules and an exhaustive search, both independent of the
 * engine.
 */

const minute = 60_000
const base = Date.UTC(2026, 4, 1)
const at = (quarters: number) => base + quarters * quarter

interface Size {
  readonly matches: number
  readonly quarters: number
  readonly teams: number
  readonly officials: number
}

const status = fc.constantFrom('available', 'available', 'maybe', 'would_rather_not', 'unavailable')

const answersOf = (quarters: number): fc.Arbitrary<Answered[]> =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -2, max: quarters - 1 }), fc.integer({ min: 1, max: quarters }), status)
      .map(([start, length, answer]) => ({ start: at(start), end: at(start + length), status: answer })),
    { minLength: 1, maxLength: 3 },
  )

/** Taken times, also off the quarters of an hour: matches that were scheduled by hand. */
const takenOf = (quarters: number) =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -30, max: quarters * 15 }), fc.integer({ min: 5, max: 60 }))
      .map(([start, length]) => ({ start: base + start * minute, end: base + (start + length) * minute })),
    { maxLength: 1 },
  )

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 })
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, value)

function mapOf<T>(keys: readonly string[], values: fc.Arbitrary<T>): fc.Arbitrary<Map<string, T>> {
  return fc
    .tuple(...keys.map(() => fc.option(values, { nil: undefined, freq: 8 })))
    .map((all) => new Map(keys.flatMap((key, index) => (all[index] === undefined ? [] : [[key, all[index]]]))))
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)

function problems(size: Size): fc.Arbitrary<SchedulingProblem> {
  const { quarters } = size
  const teams = names('team', size.teams)
  const ids = names('match', size.matches)
  const officials = names('official', size.officials)
  const people = [...officials, ...names('player', 3)]
  const team = fc.option(fc.constantFrom(...teams), { freq: 6 })
  const match = (index: number): fc.Arbitrary<SchedulingMatch> =>
    fc
      .record({
        teams: fc.tuple(team, team),
        after: fc.option(fc.subarray(ids.slice(0, index), { maxLength: Math.min(index, 2) }), { nil: [], freq: 2 }),
        notBefore: seldom(fc.integer({ min: 0, max: quarters / 2 }).map(at)),
        notAfter: seldom(fc.integer({ min: quarters / 2, max: quarters }).map(at)),
        people: fc.option(fc.subarray(people, { maxLength: 3 }), { nil: [], freq: 2 }),
      })
      .map(({ teams: [one, other], ...rest }) => ({
        id: ids[index] as string,
        number: index + 1,
        teams: [one, other === one ? null : other],
        ...rest,
      }))
  const role = (name: string) =>
    fc.record({ role: fc.constant(name), availability: answersOf(quarters), matches: mapOf(ids.slice(0, 1), status) })
  return fc.record({
    matches: fc.tuple(...ids.map((_, index) => match(index))),
    teams: mapOf(teams, answersOf(quarters)),
    officials: fc.tuple(
      ...officials.map((id) =>
        fc
          .tuple(sometimes(role('referee')), sometimes(role('caster')))
          .map((roles) => ({ id, roles: roles.filter((each) => each !== null) })),
      ),
    ),
    busy: fc.record({
      teams: mapOf(teams.slice(0, 1), takenOf(quarters)),
      officials: mapOf([...officials.slice(0, 1), 'player1'], takenOf(quarters)),
      streams: mapOf(['main'], takenOf(quarters)),
    }),
    rules: fc.record({
      minutesPerMatch: fc.constantFrom(15, 30, 40, 45),
      minRestMinutes: fc.constantFrom(0, 15, 20),
      streams: fc.constantFrom(['main'], ['main', 'second']),
      officialsPerMatch: fc.constantFrom<Record<string, number>>({}, { referee: 1 }, { referee: 1, caster: 1 }),
      earliest: fc.constantFrom(base, base + 5 * minute),
      latest: fc.constant(at(quarters)),
    }),
    names: fc.constant(new Map()),
  })
}

const small = problems({ matches: 4, quarters: 8, teams: 4, officials: 3 })
const middling = problems({ matches: 12, quarters: 24, teams: 8, officials: 6 })

describe('a schedule', () => {
  test('breaks no rule, and leaves out no match that could be added to it', () => {
    const holds = (problem: SchedulingProblem) => {
      const found = schedule(problem)
      expect(faults(problem, found)).toEqual([])
      const placed = standsOf(problem, found)
      for (const { match: id } of found.unplaced) {
        const match = problem.matches.find((each) => each.id === id) as SchedulingMatch
        expect([...standsFor(problem, match, placed)].slice(0, 1)).toEqual([])
      }
    }
    fc.assert(fc.property(small, holds), { numRuns: 300 })
    fc.assert(fc.property(middling, holds), { numRuns: 100 })
  })

  // The search gives no guarantee, so a fixed seed keeps these problems the same in each run.
  test('places as many matches as any schedule could, where all of them can be tried', () => {
    const tried = fc.sample(small, { numRuns: 150, seed: 6 }).filter((problem) => {
      const most = maxMatches(problem)
      if (most !== null) expect(schedule(problem).placements.length).toBe(most)
      return most !== null
    })
    expect(tried.length).toBeGreaterThan(100)
  })

  test('places as many matches as first come, first served, and often more', () => {
    let more = 0
    for (const problem of fc.sample(middling, { numRuns: 120, seed: 6 })) {
      const { placements } = schedule(problem)
      const served = firstComeFirstServed(problem)
      expect(placements.length).toBeGreaterThanOrEqual(served)
      if (placements.length > served) more += 1
    }
    expect(more).toBeGreaterThan(10)
  })

  test('is the same in whatever order the problem is written', () => {
    const keys = fc.array(fc.nat(), { minLength: 12, maxLength: 12 })
    const mixed = <T>(items: readonly T[], by: readonly number[]): T[] =>
      items
        .map((item, index) => ({ item, key: by[index] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item)
    fc.assert(
      fc.property(middling, keys, (problem, by) => {
        const { matches, teams, officials, rules } = problem
        const other: SchedulingProblem = {
          ...problem,
          matches: mixed(matches, by).map((match) => ({
            ...match,
            after: match.after.toReversed(),
            people: match.people.toReversed(),
          })),
          teams: new Map(mixed([...teams], by)),
          officials: mixed(officials, by).map(({ id, roles }) => ({
            id,
            roles: roles.toReversed().map((role) => ({ ...role, availability: mixed(role.availability, by) })),
          })),
          rules: {
            ...rules,
            officialsPerMatch: Object.fromEntries(mixed(Object.entries(rules.officialsPerMatch), by)),
          },
        }
        expect(schedule(other)).toEqual(schedule(problem))
      }),
      { numRuns: 60 },
    )
  })

  test('of 64 matches, 40 officials and 6 weeks breaks no rule', () => {
    const weeks = season()
    const found = schedule(weeks)
    expect(faults(weeks, found)).toEqual([])
    expect(found.placements.length).toBe(64)
    // 20 casters share 128 seats.
    expect(Math.max(...found.officials.map(({ matches }) => matches))).toBe(7)
  })

  test('of a bracket leaves room for the rounds that follow', () => {
    const entrants = names('team', 32).map((team, index) => ({ seed: index + 1, team }))
    const plan = planElimination(entrants, 'double_elimination', readSettings('double_elimination', {}, 32))
    const random = chances()
    const day = () => [48, 144].flatMap((noon) => hours(random, noon, 11, 0.1))
    const problem: SchedulingProblem = {
      matches: plan.matches.map(({ number, sides: [one, other] }) => ({
        id: `match${number}`,
        number,
        teams: [one.team, other.team],
        after: [one, other].flatMap(({ from }) => (from === null ? [] : [`match${from.match}`])),
        notBefore: null,
        notAfter: null,
        people: [],
      })),
      teams: new Map(entrants.map(({ team }) => [team, day()])),
      officials: names('official', 12).map((id) => ({
        id,
        roles: [{ role: 'referee', availability: day(), matches: new Map() }],
      })),
      busy: { teams: new Map(), officials: new Map(), streams: new Map() },
      rules: {
        minutesPerMatch: 60,
        minRestMinutes: 15,
        streams: names('stream', 4),
        officialsPerMatch: { referee: 1 },
        earliest: base,
        latest: at(192),
      },
      names: new Map(),
    }
    const found = schedule(problem)
    expect(faults(problem, found)).toEqual([])
    expect(found.unplaced).toEqual([])
  })
})

/** A fixed sequence of pseudo-random numbers from 0 to 1. */
function chances(): () => number {
  let state = 7
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Hourly answers from a quarter on, some of them missing. */
function hours(random: () => number, from: number, count: number, missing: number): Answered[] {
  return Array.from({ length: count }, (_, hour) => from + 4 * hour).flatMap((start) => {
    if (random() < missing) return []
    const status = random() < 0.6 ? 'available' : random() < 0.5 ? 'maybe' : 'would_rather_not'
    return [{ start: at(start), end: at(start + 4), status }]
  })
}

/** A season: 32 teams with four matches each, in the evenings of 42 days, with hourly answers and two streams. */
function season(): SchedulingProblem {
  const random = chances()
  const evenings = () => Array.from({ length: 42 }, (_, day) => hours(random, 96 * day + 64, 7, 0.4)).flat()
  const teams = names('team', 32)
  return {
    matches: names('match', 64).map((id, index) => ({
      id,
      number: index + 1,
      teams: [teams[index % 32] as string, teams[(index + (index < 32 ? 1 : 7)) % 32] as string],
      after: [],
      notBefore: null,
      notAfter: null,
      people: [],
    })),
    teams: new Map(teams.map((team) => [team, evenings()])),
    officials: names('official', 40).map((id, index) => ({
      id,
      roles: [index % 2 === 0 ? 'referee' : 'caster', ...(index % 5 === 0 ? ['streamer'] : [])].map((role) => ({
        role,
        availability: evenings(),
        matches: new Map(),
      })),
    })),
    busy: { teams: new Map(), officials: new Map(), streams: new Map() },
    rules: {
      minutesPerMatch: 60,
      minRestMinutes: 30,
      streams: ['main', 'second'],
      officialsPerMatch: { referee: 1, caster: 2 },
      earliest: base,
      latest: at(42 * 96),
    },
    names: new Map(),
  }
}
