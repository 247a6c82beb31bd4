import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bye, doubleForfeit, result, walkover } from '../../test/results.ts'
import { type StandingsRules, standings } from './standings.ts'
import { type Entrant, type Match, type Side, type TieBreaker, tieBreakers, type WithdrawalPolicy } from './types.ts'

interface Meeting {
  readonly own: Side
  readonly other: Side
  readonly scores: readonly number[]
}

/**
 * A second implementation, as plain as it can be: it asks the list of matches anew for every number, and tells the whole
 * field apart tie-breaker by tie-breaker, instead of each tied group for itself.
 */
function naive(matches: readonly Match[], entrants: readonly Entrant[], rules: StandingsRules) {
  const isVoid = (team: string | null) => rules.withdrawn.get(team ?? '') === 'void'
  const teams = entrants.map(({ team }) => team ?? '')
  const seedOf = (team: string) => entrants.find((entrant) => entrant.team === team)?.seed ?? null
  const counted = matches.filter(
    ({ status, sides }) => status === 'completed' && !sides.some(({ team }) => isVoid(team)),
  )
  const meetings = (team: string): Meeting[] =>
    counted.flatMap(({ outcome, sides: [first, second], games }): Meeting[] => {
      if (outcome === 'bye') return []
      const decided = games.filter(({ winner }) => winner !== null)
      if (first.team === team)
        return [{ own: first, other: second, scores: decided.map(({ scores }) => scores[0] ?? 0) }]
      if (second.team !== team) return []
      return [{ own: second, other: first, scores: decided.map(({ scores }) => scores[1] ?? 0) }]
    })
  const worth = (won: string | null) =>
    won === 'win' ? rules.points.win : won === 'draw' ? rules.points.draw : rules.points.loss
  const total = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)
  const points = (team: string) => {
    const byes = counted.filter(({ outcome, sides }) => outcome === 'bye' && sides.some((side) => side.team === team))
    return byes.length * rules.byePoints + total(meetings(team).map(({ own }) => worth(own.result)))
  }
  const opponents = (team: string) =>
    meetings(team)
      .map(({ other }) => points(other.team ?? ''))
      .sort((a, b) => a - b)
  const value = (team: string, name: TieBreaker, tied: readonly string[]): number => {
    const met = meetings(team)
    const won = total(met.map(({ own }) => own.score ?? 0))
    if (name === 'points') return points(team)
    if (name === 'head_to_head')
      return total(met.filter(({ other }) => tied.includes(other.team ?? '')).map(({ own }) => worth(own.result)))
    if (name === 'game_difference') return won - total(met.map(({ other }) => other.score ?? 0))
    if (name === 'games_won') return won
    if (name === 'buchholz') return total(opponents(team))
    if (name === 'median_buchholz') {
      const all = opponents(team)
      return all.length >= 3 ? total(all) - Math.max(...all) - Math.min(...all) : total(all)
    }
    if (name === 'sonneborn_berger') {
      const against = (asked: string) =>
        met.filter(({ own }) => own.result === asked).map(({ other }) => points(other.team ?? ''))
      return total(against('win')) + total(against('draw')) / 2
    }
    if (name === 'score_total') return total(met.flatMap(({ scores }) => scores))
    return -(seedOf(team) ?? 1e9)
  }

  let classes: string[][] = [teams.filter((team) => !isVoid(team)), teams.filter(isVoid)].filter(
    ({ length }) => length > 0,
  )
  /** The last split that put a team below others is what parts it from its neighbour. */
  const boundary = new Map<string, TieBreaker>()
  const direct = new Map<string, number>()
  const refine = (name: TieBreaker) => {
    const refined = classes.flatMap((tied) => {
      if (tied.length === 1) return [tied]
      const worthOf = new Map(tied.map((team) => [team, value(team, name, tied)]))
      if (name === 'head_to_head') for (const [team, own] of worthOf) direct.set(team, own)
      const levels = [...new Set(worthOf.values())].sort((a, b) => b - a)
      const parts = levels.map((level) => tied.filter((team) => worthOf.get(team) === level))
      for (const part of parts.slice(1)) for (const team of part) boundary.set(team, name)
      return parts
    })
    const split = refined.length > classes.length
    classes = refined
    return split
  }
  for (const name of rules.tieBreakers) while (refine(name) && name === 'head_to_head');
  return { classes, boundary, direct, value, points, meetings }
}

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
const scores = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
const gameScores = fc.option(fc.integer({ min: 0, max: 4 }))

const tournaments = fc.integer({ min: 2, max: names.length }).chain((size) => {
  const team = fc.constantFrom(...names.slice(0, size))
  const pair = fc.tuple(team, team).filter(([first, second]) => first !== second)
  const played = fc
    .record({ pair, scores, games: fc.array(fc.tuple(gameScores, gameScores), { maxLength: 3 }) })
    .map(({ pair: [first, second], scores: [one, other], games }) => result(first, second, one, other, { games }))
  const match = fc.oneof(
    { weight: 8, arbitrary: played },
    {
      weight: 1,
      arbitrary: fc.tuple(pair, fc.option(scores)).map(([[first, second], score]) => walkover(first, second, score)),
    },
    { weight: 1, arbitrary: pair.map(([first, second]) => doubleForfeit(first, second)) },
    { weight: 1, arbitrary: team.map(bye) },
    { weight: 1, arbitrary: played.map((open): Match => ({ ...open, status: 'running' })) },
  )
  const policy = fc.constantFrom<WithdrawalPolicy>('walkover', 'void')
  return fc.record({
    matches: fc.array(match, { maxLength: 18 }),
    entrants: fc
      .array(fc.option(fc.integer({ min: 1, max: 9 })), { minLength: size, maxLength: size })
      .map((seeds) => seeds.map((seed, index): Entrant => ({ slot: index + 1, seed, team: names[index] ?? '' }))),
    rules: fc.record({
      points: fc.constantFrom({ win: 3, draw: 1, loss: 0 }, { win: 2, draw: 1, loss: 0 }, { win: 3, draw: 2, loss: 1 }),
      byePoints: fc.integer({ min: 0, max: 3 }),
      tieBreakers: fc.shuffledSubarray([...tieBreakers]),
      withdrawn: fc.array(fc.tuple(team, policy), { maxLength: 2 }).map((entries) => new Map(entries)),
      grouped: fc.constant(false),
    }),
  })
})

/** Tables that lean on direct comparison, so that it is often asked, and asked again. */
const narrow = tournaments.map((given) => ({
  ...given,
  rules: { ...given.rules, tieBreakers: ['head_to_head', 'games_won', 'points'] as const },
}))

test.each([
  ['any list of tie-breakers', tournaments],
  ['direct comparison first', narrow],
])('ranks, values and what decided are those of a second implementation: %s', (_, given) => {
  fc.assert(
    fc.property(given, ({ matches, entrants, rules }) => {
      const table = standings(matches, entrants, rules)
      const expected = naive(matches, entrants, rules)
      const classes = [...Map.groupBy(table, ({ rank }) => rank).values()].map((rows) => rows.map(({ team }) => team))
      expect(classes).toEqual(expected.classes)
      table.forEach((row, index) => {
        const above = table[index - 1]
        const met = expected.meetings(row.team)
        expect(row.points).toBe(expected.points(row.team))
        expect([row.played, row.won, row.drawn, row.lost]).toEqual([
          met.length,
          met.filter(({ own }) => own.result === 'win').length,
          met.filter(({ own }) => own.result === 'draw').length,
          met.filter(({ own }) => own.result === 'loss' || own.result === 'forfeit').length,
        ])
        expect(row.tieBreaks).toEqual(
          rules.tieBreakers
            .filter((name) => name !== 'points')
            .map((name) => {
              if (name === 'head_to_head') return { name, value: expected.direct.get(row.team) ?? 0 }
              return { name, value: name === 'seed' ? (row.seed ?? 0) : expected.value(row.team, name, []) }
            }),
        )
        const isFirst = above?.rank !== row.rank
        expect(row.decidedBy).toBe(isFirst ? (expected.boundary.get(row.team) ?? null) : null)
      })
    }),
    { numRuns: 400 },
  )
})

test('the order in which matches come does not matter', () => {
  const shuffled = tournaments.chain((given) =>
    fc.record({
      given: fc.constant(given),
      matches: fc.shuffledSubarray(given.matches, { minLength: given.matches.length }),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ given: { matches, entrants, rules }, matches: mixed }) => {
      expect(standings(mixed, entrants, rules)).toEqual(standings(matches, entrants, rules))
    }),
    { numRuns: 200 },
  )
})
