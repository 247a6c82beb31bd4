import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bye, doubleForfeit, result, walkover } from '../../test/results.ts'
import { type StandingsRules, standings } from './standings.ts'
import { type Entrant, type Match, type Side, type TieBreaker, tieBreakers, type WithdrawalPolicy } from './types.ts'

interface Meeting {
  readonly own: Side
  readonly other: Side
  readonly scores: readonly number[]
  readonly round: number
  readonly isPlayed: boolean
}

/**
 * A second, simple implementation: it computes each number from the list of matches, and applies each tie-breaker to
 * all teams instead of to each tied group.
 */
function naive(matches: readonly Match[], entrants: readonly Entrant[], rules: StandingsRules) {
  const isVoid = (team: string | null) => rules.withdrawn.get(team ?? '') === 'void'
  const teams = entrants.map(({ team }) => team ?? '')
  const seedOf = (team: string) => entrants.find((entrant) => entrant.team === team)?.seed ?? null
  const counted = matches.filter(
    ({ status, sides }) => status === 'completed' && !sides.some(({ team }) => isVoid(team)),
  )
  const meetings = (team: string): Meeting[] =>
    counted.flatMap(({ outcome, sides: [first, second], games, round }): Meeting[] => {
      if (outcome === 'bye') return []
      const decided = games.filter(({ winner }) => winner !== null)
      // In these tests a forfeit has a score only if it came after the start of the match.
      const met = { round, isPlayed: first.score !== null }
      if (first.team === team)
        return [{ ...met, own: first, other: second, scores: decided.map(({ scores }) => scores[0] ?? 0) }]
      if (second.team !== team) return []
      return [{ ...met, own: second, other: first, scores: decided.map(({ scores }) => scores[1] ?? 0) }]
    })
  const rounds = [...new Set(matches.map(({ round }) => round))].filter((round) =>
    matches.every((match) => match.round !== round || match.status === 'completed'),
  )
  const worth = (won: string | null) =>
    won === 'win' ? rules.points.win : won === 'draw' ? rules.points.draw : rules.points.loss
  const total = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)
  const points = (team: string) => {
    const byes = counted.filter(({ outcome, sides }) => outcome === 'bye' && sides.some((side) => side.team === team))
    return byes.length * rules.byePoints + total(meetings(team).map(({ own }) => worth(own.result)))
  }
  const opponents = (team: string) => {
    const against = ({ other }: Meeting) => points(other.team ?? '')
    if (rules.grouped) return meetings(team).map(against)
    if (isVoid(team)) return rounds.map(() => 0)
    return rounds.map((round) => {
      const met = meetings(team).find((meeting) => meeting.round === round && meeting.isPlayed)
      return met === undefined ? points(team) : against(met)
    })
  }
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
        met
          .filter(({ own, isPlayed, round }) => {
            return own.result === asked && (rules.grouped || (isPlayed && rounds.includes(round)))
          })
          .map(({ other }) => points(other.team ?? ''))
      return total(against('win')) + total(against('draw')) / 2
    }
    if (name === 'score_total') return total(met.flatMap(({ scores }) => scores))
    return -(seedOf(team) ?? 1e9)
  }

  let classes: string[][] = [teams.filter((team) => !isVoid(team)), teams.filter(isVoid)].filter(
    ({ length }) => length > 0,
  )
  /** The tie-breaker of the last split that placed a team below others; it separates the team from the one above. */
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

interface Outcome {
  readonly kind: string
  readonly scores: readonly [number, number]
  readonly isBegun: boolean
  readonly games: readonly [number | null, number | null][]
}

const tournaments = fc.integer({ min: 2, max: names.length }).chain((size) => {
  const playing = names.slice(0, size)
  const team = fc.constantFrom(...playing)
  const outcome = fc.record({
    kind: fc.constantFrom('score', 'score', 'score', 'score', 'walkover', 'double forfeit', 'open', 'nobody'),
    scores,
    isBegun: fc.boolean(),
    games: fc.array(fc.tuple(gameScores, gameScores), { maxLength: 3 }),
  })
  const matchOf = (pair: readonly string[], round: number, { kind, scores: [one, other], isBegun, games }: Outcome) => {
    const [first = '', second] = pair
    const extra = { round, games }
    if (kind === 'nobody') return []
    if (second === undefined) return [bye(first, { round })]
    if (kind === 'walkover') return [walkover(first, second, isBegun ? [one, other] : null, { round })]
    if (kind === 'double forfeit') return [doubleForfeit(first, second, { round })]
    const played = result(first, second, one, other, extra)
    return [kind === 'open' ? { ...played, status: 'running' as const } : played]
  }
  const pairing = fc.record({
    teams: fc.shuffledSubarray(playing, { minLength: size }),
    outcomes: fc.array(outcome, { minLength: 4, maxLength: 4 }),
  })
  const rounds = fc.array(pairing, { maxLength: 6 }).map((all) =>
    all.flatMap(({ teams, outcomes }, index) =>
      outcomes.flatMap((each, pair): Match[] => {
        const two = teams.slice(2 * pair, 2 * pair + 2)
        return two.length === 0 ? [] : matchOf(two, index + 1, each)
      }),
    ),
  )
  const policy = fc.constantFrom<WithdrawalPolicy>('walkover', 'void')
  return fc.record({
    matches: rounds,
    entrants: fc
      .array(fc.option(fc.integer({ min: 1, max: 9 })), { minLength: size, maxLength: size })
      .map((seeds) => seeds.map((seed, index): Entrant => ({ slot: index + 1, seed, team: names[index] ?? '' }))),
    rules: fc.record({
      points: fc.constantFrom({ win: 3, draw: 1, loss: 0 }, { win: 2, draw: 1, loss: 0 }, { win: 3, draw: 2, loss: 1 }),
      byePoints: fc.integer({ min: 0, max: 3 }),
      tieBreakers: fc.shuffledSubarray([...tieBreakers]),
      withdrawn: fc.array(fc.tuple(team, policy), { maxLength: 2 }).map((entries) => new Map(entries)),
      grouped: fc.boolean(),
    }),
  })
})

/** Tables that use direct comparison often and repeatedly. */
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

test('all rows have equally many entries: where every round is worth the same to all, opponents’ points add up alike', () => {
  fc.assert(
    fc.property(tournaments, ({ matches, entrants, rules }) => {
      const open = new Set(matches.filter(({ status }) => status !== 'completed').map(({ round }) => round))
      const over = matches.filter(({ round }) => !open.has(round))
      const rounds = new Set(over.map(({ round }) => round)).size
      const asked = ['buchholz', 'median_buchholz'] as const
      const even = { points: { win: 1, draw: 1, loss: 1 }, byePoints: 1, withdrawn: new Map(), grouped: false }
      const isThere = (row: Entrant) =>
        over.filter(({ sides }) => sides.some(({ team }) => team === row.team)).length === rounds
      if (!entrants.every(isThere)) return
      for (const { points, tieBreaks } of standings(over, entrants, { ...rules, ...even, tieBreakers: asked })) {
        expect(points).toBe(rounds)
        expect(tieBreaks.map(({ value }) => value)).toEqual([rounds ** 2, (rounds < 3 ? rounds : rounds - 2) * rounds])
      }
    }),
    { numRuns: 300 },
  )
})
