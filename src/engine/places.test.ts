import fc from 'fast-check'
import { expect, test } from 'vitest'
import cup from '../../demo/world-cup-2023.json' with { type: 'json' }
import { type EliminationSettings, planElimination } from './elimination.ts'
import { standingsOfElimination } from './places.ts'
import { apply, settle } from './progress.ts'
import type { Board, Decision, Match, Plan, SideIndex, Standing, WithdrawalPolicy } from './types.ts'

const usual: EliminationSettings = {
  bestOf: 3,
  bestOfByRound: {},
  seedOrdering: 'standard',
  thirdPlace: false,
  grandFinal: 'reset',
}

function single(teams: readonly string[], settings: Partial<EliminationSettings> = {}): Bracket {
  return new Bracket(planElimination(seeded(teams), 'single_elimination', { ...usual, ...settings }))
}

function double(teams: readonly string[], settings: Partial<EliminationSettings> = {}): Bracket {
  return new Bracket(planElimination(seeded(teams), 'double_elimination', { ...usual, ...settings }))
}

function seeded(teams: readonly string[]) {
  return teams.map((team, index) => ({ seed: index + 1, team }))
}

/** Team names in seed order: a is the top seed. */
function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))
}

/** A bracket that tests play. */
class Bracket {
  readonly plan: Plan
  readonly withdrawn = new Map<string, WithdrawalPolicy>()
  matches: readonly Match[]

  constructor(plan: Plan) {
    this.plan = plan
    this.matches = settle(plan, this)
  }

  open(): readonly Match[] {
    return this.matches.filter(({ status }) => status === 'ready')
  }

  /** Records a win of the first team. */
  won(winner: string, loser: string, scores: readonly [number, number] = [2, 1]): this {
    const match = this.between(winner, loser)
    const side: SideIndex = match.sides[0].team === winner ? 0 : 1
    const sideScores = side === 0 ? scores : ([scores[1], scores[0]] as const)
    return this.decide(match, { outcome: 'score', winner: side, scores: sideScores })
  }

  walkedOver(winner: string, loser: string): this {
    const match = this.between(winner, loser)
    return this.decide(match, { outcome: 'walkover', winner: match.sides[0].team === winner ? 0 : 1 })
  }

  forfeited(one: string, other: string): this {
    return this.decide(this.between(one, other), { outcome: 'double_forfeit' })
  }

  withdrew(team: string): this {
    const standing = this.matches.filter(({ sides }) => sides.some((side) => side.team === team))
    const matches = standing.map(({ number }) => number)
    const altered = apply(this.board(), { kind: 'withdraw', team, policy: 'walkover', matches })
    this.withdrawn.set(team, 'walkover')
    return this.take(altered)
  }

  decide(match: Match, decision: Decision): this {
    return this.take(apply(this.board(), { kind: 'result', match: match.number, decision }))
  }

  table(): readonly Standing[] {
    return standingsOfElimination(this.matches, this.plan.entrants, this.withdrawn)
  }

  /** The ranks as text: "1 a, 2 b, 3 c, 3 d". */
  ranks(): string {
    return this.table()
      .map(({ rank, team }) => `${rank} ${team}`)
      .join(', ')
  }

  row(team: string): Standing | undefined {
    return this.table().find((row) => row.team === team)
  }

  private between(one: string, other: string): Match {
    const match = this.open().find(({ sides }) =>
      [one, other].every((team) => sides.some((side) => side.team === team)),
    )
    if (match === undefined) throw new Error(`${one} and ${other} have nothing to play`)
    return match
  }

  private board(): Board {
    return { match: (number) => this.matches[number - 1], withdrawn: this.withdrawn, allowDraws: false }
  }

  private take(altered: readonly Match[]): this {
    const now = new Map(altered.map((match) => [match.number, match]))
    this.matches = this.matches.map((match) => now.get(match.number) ?? match)
    return this
  }
}

test('the world cup, played again, ends with its placements', () => {
  const teams = cup.teams.filter(({ seed }) => seed !== null).map(({ code }) => code)
  const bracket = double(teams, { bestOf: 13 })
  for (const { teams, score } of cup.matches) {
    const [first = '', second = ''] = teams
    const [own = 0, other = 0] = score
    if (own > other) bracket.won(first, second, [own, other])
    else bracket.won(second, first, [other, own])
  }
  const published = new Map(cup.placements.map(({ team, place }) => [team, place]))
  expect(bracket.table().map(({ team, rank }) => [team, rank])).toEqual(teamsByPlace(bracket, published))
  expect(
    bracket
      .table()
      .slice(0, 4)
      .map(({ team }) => team),
  ).toEqual(['US', 'KR', 'AU', 'DE'])
  for (const { team, played, won, lost, drawn, gamesWon, gamesLost, points } of bracket.table()) {
    const own = cup.matches.filter((match) => match.teams.includes(team))
    const scores = own.map(({ teams, score }) => (teams[0] === team ? score : score.toReversed()))
    const wins = scores.filter(([mine = 0, theirs = 0]) => mine > theirs).length
    const sum = (side: number) => scores.reduce((total, score) => total + (score[side] ?? 0), 0)
    expect({ team, played, won, lost, drawn, gamesWon, gamesLost, points }).toEqual({
      team,
      played: own.length,
      won: wins,
      lost: own.length - wins,
      drawn: 0,
      gamesWon: sum(0),
      gamesLost: sum(1),
      points: wins,
    })
  }
})

function teamsByPlace(bracket: Bracket, places: ReadonlyMap<string, number>) {
  return bracket.plan.entrants
    .map(({ team, seed }) => ({ team: team ?? '', seed: seed ?? 0, place: places.get(team ?? '') ?? 0 }))
    .sort((one, other) => one.place - other.place || one.seed - other.seed)
    .map(({ team, place }) => [team, place])
}

test('before anything was played all share the first rank, by seed', () => {
  expect(single(named(3)).table()).toEqual(
    named(3).map((team, index) => ({
      rank: 1,
      team,
      seed: index + 1,
      group: null,
      played: 0,
      won: 0,
      drawn: 0,
      lost: 0,
      gamesWon: 0,
      gamesLost: 0,
      points: 0,
      tieBreaks: [],
      decidedBy: null,
      tied: true,
    })),
  )
})

test('a place that is not taken yet has no row, and teams without a seed come last', () => {
  const entrants = [
    { seed: null, team: 'a' },
    { seed: 9, team: 'b' },
    { seed: null, team: null },
  ]
  const bracket = new Bracket(planElimination(entrants, 'single_elimination', usual))
  expect(bracket.ranks()).toBe('1 b, 1 a')
})

test('whoever is still in shares the top', () => {
  const bracket = single(named(4)).won('a', 'd')
  expect(bracket.ranks()).toBe('1 a, 1 b, 1 c, 4 d')
  expect(bracket.won('c', 'b').ranks()).toBe('1 a, 1 c, 3 b, 3 d')
  expect(bracket.won('c', 'a').ranks()).toBe('1 c, 2 a, 3 b, 3 d')
})

test('the match for third place decides the third and the fourth rank', () => {
  const bracket = single(named(4), { thirdPlace: true }).won('a', 'd').won('b', 'c')
  expect(bracket.ranks()).toBe('1 a, 1 b, 3 c, 3 d')
  expect(bracket.won('d', 'c').ranks()).toBe('1 a, 1 b, 3 d, 4 c')
  expect(bracket.won('b', 'a').ranks()).toBe('1 b, 2 a, 3 d, 4 c')
})

test('of three teams the one that lost the only semi-final is third', () => {
  expect(single(named(3), { thirdPlace: true }).won('c', 'b').won('a', 'c').ranks()).toBe('1 a, 2 c, 3 b')
})

test('in double elimination a loss costs nothing but the second', () => {
  const bracket = double(named(4)).won('a', 'd').won('b', 'c')
  expect(bracket.ranks()).toBe('1 a, 1 b, 1 c, 1 d')
  expect(bracket.won('d', 'c').ranks()).toBe('1 a, 1 b, 1 d, 4 c')
  expect(bracket.won('a', 'b').won('b', 'd').ranks()).toBe('1 a, 1 b, 3 d, 4 c')
})

test('the final decides the first two ranks, with its reset when the lower bracket wins', () => {
  const finalists = () => double(named(4)).won('a', 'd').won('b', 'c').won('d', 'c').won('a', 'b').won('b', 'd')
  expect(finalists().won('a', 'b').ranks()).toBe('1 a, 2 b, 3 d, 4 c')
  const reset = finalists().won('b', 'a')
  expect(reset.ranks()).toBe('1 a, 1 b, 3 d, 4 c')
  expect(reset.won('b', 'a').ranks()).toBe('1 b, 2 a, 3 d, 4 c')
  expect(finalists().won('b', 'a').won('a', 'b').ranks()).toBe('1 a, 2 b, 3 d, 4 c')
})

test('with a single final its winner is first', () => {
  const bracket = double(named(2), { grandFinal: 'single' }).won('a', 'b')
  expect(bracket.ranks()).toBe('1 a, 1 b')
  expect(bracket.won('b', 'a').ranks()).toBe('1 b, 2 a')
})

test('without a final the upper bracket is for the first rank, the lower one for the second', () => {
  const bracket = double(named(4), { grandFinal: 'none' }).won('a', 'd').won('b', 'c').won('d', 'c')
  expect(bracket.ranks()).toBe('1 a, 1 b, 1 d, 4 c')
  expect(bracket.won('a', 'b').ranks()).toBe('1 a, 2 b, 2 d, 4 c')
  expect(bracket.won('d', 'b').ranks()).toBe('1 a, 2 d, 3 b, 4 c')
  expect(double(named(2), { grandFinal: 'none' }).won('b', 'a').ranks()).toBe('1 b, 2 a')
})

test('after a double forfeit of the last match nobody is first', () => {
  expect(single(named(2)).forfeited('a', 'b').ranks()).toBe('2 a, 2 b')
  expect(double(named(2)).won('a', 'b').forfeited('a', 'b').ranks()).toBe('2 a, 2 b')
  expect(double(named(2)).won('a', 'b').won('b', 'a').forfeited('a', 'b').ranks()).toBe('2 a, 2 b')
  expect(single(named(4)).forfeited('a', 'd').forfeited('b', 'c').ranks()).toBe('2 a, 2 b, 2 c, 2 d')
})

test('a final that nobody won leaves the first place empty, and moves nobody else back', () => {
  const third = () => single(named(4), { thirdPlace: true }).won('a', 'd').won('b', 'c')
  expect(third().forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 c, 3 d')
  expect(third().forfeited('a', 'b').won('c', 'd').ranks()).toBe('2 a, 2 b, 3 c, 4 d')
  expect(third().won('d', 'c').forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 d, 4 c')
  expect(third().forfeited('c', 'd').won('b', 'a').ranks()).toBe('1 b, 2 a, 3 c, 3 d')
  expect(third().forfeited('c', 'd').forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 c, 3 d')
  expect(third().withdrew('a').withdrew('b').won('c', 'd').ranks()).toBe('1 b, 2 a, 3 c, 4 d')
  const eight = single(named(8)).won('a', 'h').won('d', 'e').won('b', 'g').won('c', 'f').won('a', 'd').won('b', 'c')
  expect(eight.forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 c, 3 d, 5 e, 5 f, 5 g, 5 h')
  const finalists = (settings = {}) => double(named(4), settings).won('a', 'd').won('b', 'c').won('d', 'c')
  const final = () => finalists().won('a', 'b').won('b', 'd')
  expect(final().forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 d, 4 c')
  expect(final().won('b', 'a').forfeited('a', 'b').ranks()).toBe('2 a, 2 b, 3 d, 4 c')
})

test('without a grand final nobody is first when nobody won the upper bracket, also while the lower one goes on', () => {
  const played = double(named(4), { grandFinal: 'none' }).won('a', 'd').won('b', 'c')
  expect(played.forfeited('a', 'b').ranks()).toBe('2 c, 2 d, 3 a, 3 b')
  expect(played.won('d', 'c').ranks()).toBe('2 d, 3 a, 3 b, 4 c')
})

test('rows of one rank are tied, unless seeds are to decide', () => {
  const bracket = single(named(4)).won('a', 'd').won('b', 'c').won('a', 'b')
  expect(bracket.table().map(({ tied }) => tied)).toEqual([false, false, true, true])
  const bySeed = standingsOfElimination(bracket.matches, bracket.plan.entrants, bracket.withdrawn, ['seed'])
  expect(bySeed.map(({ rank, tied }) => [rank, tied])).toEqual([1, 2, 3, 3].map((rank) => [rank, false]))
})

test('a double forfeit puts both out, where those who lost the next match of the losers are', () => {
  expect(single(named(4)).forfeited('a', 'd').won('b', 'c').ranks()).toBe('1 b, 2 a, 2 c, 2 d')
  const lower = double(named(4)).forfeited('a', 'd').won('b', 'c')
  expect(lower.ranks()).toBe('1 b, 1 c, 3 a, 3 d')
  expect(lower.won('b', 'c').ranks()).toBe('1 b, 2 c, 3 a, 3 d')
  const eight = double(named(8)).forfeited('a', 'h').won('d', 'e').won('b', 'g').won('c', 'f').won('f', 'g')
  expect(eight.ranks()).toBe('1 b, 1 c, 1 d, 1 e, 1 f, 6 a, 6 g, 6 h')
  const third = single(named(4), { thirdPlace: true }).forfeited('a', 'd').won('b', 'c')
  expect(third.ranks()).toBe('1 b, 2 c, 3 a, 3 d')
})

test('a team that withdrew is where its open matches leave it, also while it waits for somebody', () => {
  const waiting = single(named(8)).won('a', 'h').withdrew('a')
  expect(waiting.row('a')).toMatchObject({ rank: 7, played: 1, won: 1, lost: 0 })
  expect(waiting.row('h')).toMatchObject({ rank: 8 })
  expect(waiting.won('d', 'e').row('a')).toMatchObject({ played: 2, won: 1, lost: 1, gamesWon: 2, gamesLost: 1 })
  const lower = double(named(4)).withdrew('a').won('b', 'c')
  expect(lower.ranks()).toBe('1 b, 1 c, 1 d, 4 a')
  expect(double(named(4)).won('a', 'd').withdrew('a').ranks()).toBe('1 b, 1 c, 1 d, 4 a')
  expect(single(named(2)).won('a', 'b').withdrew('a').ranks()).toBe('1 a, 2 b')
})

test('byes are not played; walkovers are won and lost without games', () => {
  const bracket = single(named(3)).walkedOver('c', 'b')
  expect(bracket.row('a')).toMatchObject({ played: 0, won: 0, points: 0 })
  expect(bracket.row('b')).toMatchObject({ played: 1, won: 0, lost: 1, gamesWon: 0, gamesLost: 0, points: 0 })
  expect(bracket.row('c')).toMatchObject({ played: 1, won: 1, lost: 0, gamesWon: 0, gamesLost: 0, points: 1 })
  const twice = single(named(2)).forfeited('a', 'b')
  expect(twice.table().map(({ played, won, lost }) => [played, won, lost])).toEqual([
    [1, 0, 1],
    [1, 0, 1],
  ])
})

test('games of a match that is not over do not count yet', () => {
  const bracket = single(named(2))
  const game = { number: 1, scores: [5, 3], winner: 0 } as const
  const board = { match: () => bracket.matches[0], withdrawn: bracket.withdrawn, allowDraws: false }
  bracket.matches = apply(board, { kind: 'game', match: 1, game })
  expect(bracket.row('a')).toMatchObject({ rank: 1, played: 0, gamesWon: 0 })
})

test('a full tree, whoever wins, ends with the ranks that its rounds allow', () => {
  const random = fc.infiniteStream(fc.constantFrom<SideIndex>(0, 1))
  const play = (bracket: Bracket, winners: Iterator<SideIndex>) => {
    for (let [match] = bracket.open(); match; [match] = bracket.open()) {
      bracket.decide(match, { outcome: 'score', winner: winners.next().value, scores: null })
    }
    return bracket.table().map(({ rank }) => rank)
  }
  const run = (rank: number, length: number) => Array.from({ length }, () => rank)
  const four = [...run(9, 4), ...run(13, 4)]
  fc.assert(
    fc.property(random, (winners) => {
      expect(play(single(named(16)), winners)).toEqual([1, 2, 3, 3, ...run(5, 4), ...run(9, 8)])
      expect(play(double(named(16)), winners)).toEqual([1, 2, 3, 4, 5, 5, 7, 7, ...four])
      expect(play(double(named(6)), winners)).toEqual([1, 2, 3, 4, 5, 5])
    }),
    { numRuns: 20 },
  )
})

test('whatever happens, nobody is ranked before a team that outlasted them, and ranks count those ahead', () => {
  const happenings = fc.array(fc.tuple(fc.constantFrom('win', 'win', 'forfeit', 'withdraw'), fc.nat(), fc.boolean()), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.boolean(), happenings, (count, isDouble, list) => {
      const bracket = (isDouble ? double : single)(named(count), { thirdPlace: true })
      for (const [what, pick, side] of list) {
        const match = bracket.open().at(pick % Math.max(1, bracket.open().length))
        if (match === undefined) break
        if (what === 'withdraw') bracket.withdrew(match.sides[side ? 0 : 1].team ?? '')
        else if (what === 'forfeit') bracket.decide(match, { outcome: 'double_forfeit' })
        else bracket.decide(match, { outcome: 'score', winner: side ? 0 : 1, scores: null })
      }
      const table = bracket.table()
      expect(table.map(({ team }) => team).sort()).toEqual(named(count))
      const best = table[0]?.rank ?? 0
      expect([1, 2]).toContain(best)
      // Where the first place is empty and a single team is second, the next teams are third.
      const isAlone = best === 2 && table.filter(({ rank }) => rank === 2).length === 1
      for (const { rank } of table) {
        const ahead = table.filter((other) => other.rank < rank).length
        const isNext = isAlone && ahead === 1
        expect(rank).toBe(ahead === 0 ? best : isNext ? 3 : ahead + 1)
        expect(rank).toBeLessThanOrEqual(count)
      }
      const results = bracket.matches.filter(({ status, outcome }) => status === 'completed' && outcome !== 'bye')
      const wins = results.filter(({ sides }) => sides.some(({ result }) => result === 'win')).length
      expect(table.reduce((total, { won }) => total + won, 0)).toBe(wins)
      const isOut = ({ team, lost }: Standing) => lost >= (isDouble ? 2 : 1) || bracket.withdrawn.has(team)
      const isIn = (row: Standing) => row.lost === 0 && !bracket.withdrawn.has(row.team)
      const worstIn = Math.max(0, ...table.filter(isIn).map(({ rank }) => rank))
      const bestOut = Math.min(Number.POSITIVE_INFINITY, ...table.filter(isOut).map(({ rank }) => rank))
      expect(worstIn).toBeLessThan(bestOut)
    }),
    { numRuns: 150 },
  )
})
