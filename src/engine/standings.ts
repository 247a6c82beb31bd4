import type { Entrant, Match, Points, Side, Standing, TieBreaker, WithdrawalPolicy } from './types.ts'
import { isOver, wasPlayed } from './verdict.ts'

export interface StandingsRules {
  readonly points: Points
  /** The points of a bye in a Swiss bracket. */
  readonly byePoints: number
  /** Applied in this order; `points` is one of them. */
  readonly tieBreakers: readonly TieBreaker[]
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
  /** True for a round robin, where each group has its own table; false for a Swiss bracket. */
  readonly grouped: boolean
}

/** A counted match, from the view of one team. */
interface Meeting {
  readonly opponent: Tally
  readonly result: keyof Points
  readonly points: number
  readonly round: number
  /** Whether the match counts as played; always true in a round robin. */
  readonly isPlayed: boolean
}

/** One entry of the sum of opponents' points. */
interface Entry {
  /** The team whose points count: the opponent, or the team itself for a round that it did not play. */
  readonly of: Tally
  /** The result for this team; null where the round was not played. */
  readonly result: keyof Points | null
}

/** The running totals of a team. */
interface Tally {
  readonly team: string
  readonly seed: number | null
  readonly group: number | null
  points: number
  gamesWon: number
  gamesLost: number
  scoreTotal: number
  readonly meetings: Meeting[]
  /** The entries of opponents' points. */
  entries: readonly Entry[]
  /** The points of the team in its last direct comparison. */
  headToHead: number
}

/** Teams that no tie-breaker separates, and the tie-breaker that placed them below the teams above. */
interface Tie {
  readonly tied: readonly Tally[]
  readonly decidedBy: TieBreaker | null
}

/**
 * The standings of a round robin or a Swiss bracket, from its completed matches. (additions: D, rule 9; G5, G6)
 *
 * A walkover counts as a win and a loss, a double forfeit as a loss of both; their games count as far as scores are
 * recorded. A bye gives its points and nothing else: it is not played, not won, and has no opponent. Teams that
 * withdrew with `void` are last, with an empty row, and their matches count for no team. In a Swiss bracket each
 * finished round gives every row one entry of opponents' points, so that all rows have the same number of entries.
 * (D59)
 *
 * Rows are listed by group, then by rank. Teams that are equal in everything share a rank, in the order of the
 * entrants.
 */
export function standings(
  matches: readonly Match[],
  entrants: readonly Entrant[],
  rules: StandingsRules,
): readonly Standing[] {
  const tallies = tally(matches, entrants, rules)
  const groups = [...Map.groupBy(tallies, ({ group }) => group ?? 0)].sort(([one], [other]) => one - other)
  return groups.flatMap(([, members]) => {
    const counting = members.filter((member) => !isVoid(member.team, rules))
    const voided = members.filter((member) => isVoid(member.team, rules))
    return rows([...separate(counting, rules.tieBreakers), ...separate(voided, rules.tieBreakers)], rules.tieBreakers)
  })
}

function tally(matches: readonly Match[], entrants: readonly Entrant[], rules: StandingsRules): readonly Tally[] {
  const groups = new Map(matches.flatMap(({ group, sides }) => sides.map(({ team }) => [team, group])))
  const tallies = entrants.flatMap(({ team, seed }): Tally[] => {
    if (team === null) return []
    const group = rules.grouped ? (groups.get(team) ?? null) : null
    return [
      {
        team,
        seed,
        group,
        points: 0,
        gamesWon: 0,
        gamesLost: 0,
        scoreTotal: 0,
        meetings: [],
        entries: [],
        headToHead: 0,
      },
    ]
  })
  const counting = new Map(tallies.filter(({ team }) => !isVoid(team, rules)).map((row) => [row.team, row]))
  for (const match of matches) if (match.status === 'completed') count(match, counting, rules)
  const over = rules.grouped ? null : roundsOver(matches)
  for (const row of tallies) row.entries = over === null ? row.meetings.map(entryOf) : entriesOf(row, over)
  return tallies
}

/** The finished rounds. A round with open matches gives no entry yet. (D59) */
function roundsOver(matches: readonly Match[]): readonly number[] {
  const open = new Set(matches.filter((match) => !isOver(match)).map(({ round }) => round))
  return [...new Set(matches.map(({ round }) => round))].filter((round) => !open.has(round))
}

/**
 * One entry for each finished round: the opponent's points where the match was played, otherwise the team's own points.
 * So a bye, a walkover or a withdrawal does not give a row fewer entries than others have. (D59)
 */
function entriesOf(row: Tally, rounds: readonly number[]): readonly Entry[] {
  const played = new Map(row.meetings.filter(({ isPlayed }) => isPlayed).map((meeting) => [meeting.round, meeting]))
  return rounds.map((round) => {
    const meeting = played.get(round)
    return meeting === undefined ? { of: row, result: null } : entryOf(meeting)
  })
}

function entryOf({ opponent, result }: Meeting): Entry {
  return { of: opponent, result }
}

function count(match: Match, counting: ReadonlyMap<string, Tally>, rules: StandingsRules): void {
  const [first, second] = match.sides.map(({ team }) => (team === null ? undefined : counting.get(team)))
  if (match.outcome === 'bye') {
    const team = first ?? second
    if (team !== undefined) team.points += rules.byePoints
  } else if (first !== undefined && second !== undefined) {
    const meeting = { round: match.round, isPlayed: rules.grouped || wasPlayed(match) }
    meet(first, { ...meeting, opponent: second }, match.sides[0], match.sides[1], rules.points)
    meet(second, { ...meeting, opponent: first }, match.sides[1], match.sides[0], rules.points)
    for (const game of match.games) {
      if (game.winner === null) continue
      first.scoreTotal += game.scores[0] ?? 0
      second.scoreTotal += game.scores[1] ?? 0
    }
  }
}

type Occasion = Pick<Meeting, 'opponent' | 'round' | 'isPlayed'>

function meet(team: Tally, occasion: Occasion, own: Side, other: Side, worth: Points): void {
  if (own.result === null) throw new Error('A completed match between two teams has a result for both.')
  const result = own.result === 'forfeit' ? 'loss' : own.result
  team.meetings.push({ ...occasion, result, points: worth[result] })
  team.points += worth[result]
  team.gamesWon += own.score ?? 0
  team.gamesLost += other.score ?? 0
}

function isVoid(team: string, { withdrawn }: StandingsRules): boolean {
  return withdrawn.get(team) === 'void'
}

/**
 * Separates tied teams by one tie-breaker after the other; each applies only among teams that the earlier ones left
 * equal. `head_to_head` is repeated among the teams that it leaves equal, until it separates no more. (G6)
 */
function separate(tied: readonly Tally[], tieBreakers: readonly TieBreaker[]): readonly Tie[] {
  if (tied.length === 0) return []
  const [asked, ...later] = tieBreakers
  if (tied.length === 1 || asked === undefined) return [{ tied, decidedBy: null }]
  if (asked === 'head_to_head') compareDirectly(tied)
  const parts = [...Map.groupBy(tied, (team) => merit(team, asked))].sort(([one], [other]) => other - one)
  const next = asked === 'head_to_head' && parts.length > 1 ? tieBreakers : later
  return parts.flatMap(([, part], place) =>
    separate(part, next).map((tie, index) => (place > 0 && index === 0 ? { ...tie, decidedBy: asked } : tie)),
  )
}

function compareDirectly(tied: readonly Tally[]): void {
  const among = new Set(tied)
  for (const team of tied) {
    team.headToHead = sum(team.meetings.map(({ opponent, points }) => (among.has(opponent) ? points : 0)))
  }
}

/** The value for comparison; more is better. Teams without a seed come last. */
function merit(team: Tally, tieBreaker: TieBreaker): number {
  if (tieBreaker !== 'seed') return values[tieBreaker](team)
  return team.seed === null ? Number.NEGATIVE_INFINITY : -team.seed
}

/** The values of the tie-breakers. Opponents' points include the points of byes and of the running round. (D59) */
const values: Readonly<Record<TieBreaker, (team: Tally) => number>> = {
  points: ({ points }) => points,
  head_to_head: ({ headToHead }) => headToHead,
  game_difference: ({ gamesWon, gamesLost }) => gamesWon - gamesLost,
  games_won: ({ gamesWon }) => gamesWon,
  buchholz: ({ entries }) => sum(entries.map(({ of }) => of.points)),
  /** Leaves out the best and the worst entry once there are three entries. */
  median_buchholz: ({ entries }) => {
    const points = entries.map(({ of }) => of.points).sort((one, other) => one - other)
    return sum(points.length < 3 ? points : points.slice(1, -1))
  },
  /**
   * The points of all beaten opponents, and half the points of opponents drawn with. Unplayed rounds count in no row.
   */
  sonneborn_berger: ({ entries }) =>
    sum(entries.map(({ of, result }) => of.points * (result === null ? 0 : { win: 1, draw: 0.5, loss: 0 }[result]))),
  /** The scores in the games; tied games do not count. */
  score_total: ({ scoreTotal }) => scoreTotal,
  /** 0 for a team without a seed. */
  seed: ({ seed }) => seed ?? 0,
}

function rows(ties: readonly Tie[], tieBreakers: readonly TieBreaker[]): readonly Standing[] {
  let rank = 1
  return ties.flatMap(({ tied, decidedBy }) => {
    const shared = rank
    rank += tied.length
    return tied.map((team, index) => ({
      ...row(team, tieBreakers),
      rank: shared,
      decidedBy: index === 0 ? decidedBy : null,
      tied: tied.length > 1,
    }))
  })
}

type Row = Omit<Standing, 'rank' | 'decidedBy' | 'tied'>

function row(team: Tally, tieBreakers: readonly TieBreaker[]): Row {
  const counted = (result: keyof Points) => team.meetings.filter((meeting) => meeting.result === result).length
  return {
    team: team.team,
    seed: team.seed,
    group: team.group,
    played: team.meetings.length,
    won: counted('win'),
    drawn: counted('draw'),
    lost: counted('loss'),
    gamesWon: team.gamesWon,
    gamesLost: team.gamesLost,
    points: team.points,
    tieBreaks: tieBreakers.filter((name) => name !== 'points').map((name) => ({ name, value: values[name](team) })),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
