import type { Board, Match, Side, SideIndex, Source } from './types.ts'
import { isOver, judged, other, type Withdrawn, winnerOf } from './verdict.ts'

/**
 * Propagation of a change through a bracket: each match is judged, and its winner and loser advance to the next
 * matches.
 */

/** Thrown when the board lacks a match that the change needs. The caller loads the match and tries again. */
export class NeedsMatch extends Error {
  override readonly name = 'NeedsMatch'
  readonly number: number

  constructor(number: number) {
    super(`Match ${number} is needed`)
    this.number = number
  }
}

/**
 * The match with this number.
 * @throws NeedsMatch when the board does not hold it.
 */
export function need(board: Board, number: number): Match {
  const match = board.match(number)
  if (match === undefined) throw new NeedsMatch(number)
  return match
}

/**
 * Returns all matches that change when `edits` replace their matches, in the order of their numbers; matches that end
 * up unchanged are left out. Apart from the edited matches, it reads from the board only those that a changed winner or
 * loser goes to. Each match is judged once, because feeders have smaller numbers.
 */
export function propagate(board: Board, edits: readonly Match[]): readonly Match[] {
  const drafts = new Map(edits.map((match) => [match.number, match]))
  const pending = descending(drafts.keys())
  const altered: Match[] = []
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    const stored = need(board, number)
    const match = judged(drafts.get(number) ?? stored, board.withdrawn)
    if (!isSameMatch(stored, match)) altered.push(match)
    if (advancesAlike(stored, match)) continue
    passOn(
      match,
      (target) => drafts.get(target) ?? need(board, target),
      (consumer) => {
        if (!pending.includes(consumer.number)) insert(pending, consumer.number)
        drafts.set(consumer.number, consumer)
      },
    )
  }
  return altered
}

/** The given matches after all automatic results have been applied. */
export function propagateAll(matches: readonly Match[], withdrawn: Withdrawn): readonly Match[] {
  const drafts = new Map(matches.map((match) => [match.number, match]))
  return matches.map(({ number }) => {
    const take = (needed: number): Match => {
      const match = drafts.get(needed)
      if (match === undefined) throw new NeedsMatch(needed)
      return match
    }
    const match = judged(take(number), withdrawn)
    passOn(match, take, (consumer) => drafts.set(consumer.number, consumer))
    return match
  })
}

/** Puts the winner and the loser of `match` on their sides of the next matches. */
function passOn(match: Match, take: (number: number) => Match, give: (consumer: Match) => void): void {
  if (match.winnerTo !== null) {
    const { match: number, side } = match.winnerTo
    const consumer = take(number)
    give(seated(consumer, side, comingFrom(match, 'winner', consumer)))
  }
  if (match.loserTo !== null) {
    const { match: number, side } = match.loserTo
    const consumer = take(number)
    give(seated(consumer, side, comingFrom(match, 'loser', consumer)))
  }
}

type Occupant = Pick<Side, 'team' | 'empty'>

const unknown: Occupant = { team: null, empty: false }
const nobody: Occupant = { team: null, empty: true }

/**
 * The team that advances from `match` to `consumer`; none where the match has no winner. The reset of a final stays
 * empty on both sides, and is therefore cancelled, unless the team of the lower bracket beat a team of the upper
 * bracket in the final.
 */
function comingFrom(match: Match, outcome: Source['outcome'], consumer: Match): Occupant {
  if (!isOver(match)) return unknown
  const winner = winnerOf(match)
  if (winner === null || (consumer.conditional && (winner === 0 || match.sides[0].team === null))) return nobody
  const { team } = match.sides[outcome === 'winner' ? winner : other(winner)]
  return team === null ? nobody : { team, empty: false }
}

/**
 * Sets the occupant of a side. Reports belong to the two teams that played, each on its own side: when a team changes,
 * the games and the decision are removed.
 */
export function seated(match: Match, index: SideIndex, { team, empty }: Occupant): Match {
  const side: Side = { ...match.sides[index], team, empty }
  const sides: Match['sides'] = index === 0 ? [side, match.sides[1]] : [match.sides[0], side]
  if (match.sides[index].team === team) return { ...match, sides }
  return {
    ...match,
    sides,
    games: [],
    decision: null,
    started: false,
    reopened: false,
    status: 'locked',
    outcome: null,
  }
}

/**
 * Whether both versions of a match send the same teams on. The winning side counts too, because the reset of a final
 * depends on it.
 */
function advancesAlike(one: Match, another: Match): boolean {
  if (isOver(one) !== isOver(another)) return false
  if (!isOver(one)) return true
  const winner = winnerOf(one)
  if (winner !== winnerOf(another)) return false
  return winner === null || one.sides.every((side, index) => side.team === another.sides[index]?.team)
}

function descending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, another) => another - one)
}

function insert(pending: number[], number: number): void {
  const index = pending.findIndex((queued) => queued < number)
  pending.splice(index === -1 ? pending.length : index, 0, number)
}

/** Whether all changeable properties of two matches are equal. */
export function isSameMatch(one: Match, another: Match): boolean {
  return (
    one.number === another.number &&
    one.bestOf === another.bestOf &&
    one.status === another.status &&
    one.outcome === another.outcome &&
    one.started === another.started &&
    one.reopened === another.reopened &&
    isSameSide(one.sides[0], another.sides[0]) &&
    isSameSide(one.sides[1], another.sides[1]) &&
    isSameDecision(one.decision, another.decision) &&
    one.games.length === another.games.length &&
    one.games.every((game, index) => isSameGame(game, another.games[index]))
  )
}

function isSameSide(one: Side, another: Side): boolean {
  return (
    one.team === another.team &&
    one.empty === another.empty &&
    one.score === another.score &&
    one.result === another.result
  )
}

export function isSameGame(one: Match['games'][number], another: Match['games'][number] | undefined): boolean {
  return (
    another !== undefined &&
    one.number === another.number &&
    one.winner === another.winner &&
    isSamePair(one.scores, another.scores) &&
    isSameDetail(one.detail, another.detail)
  )
}

/** Compares JSON values. The order of members does not matter, because storage may change it. */
function isSameDetail(one: unknown, another: unknown): boolean {
  if (one === another) return true
  if (!isContainer(one) || !isContainer(another) || Array.isArray(one) !== Array.isArray(another)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(another).length &&
    names.every((name) => Object.hasOwn(another, name) && isSameDetail(one[name], another[name]))
  )
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Compares two decisions; ignores `begun`. */
export function isSameDecision(one: Match['decision'], another: Match['decision']): boolean {
  if (one === null || another === null) return one === another
  const winner = (decision: typeof one) => ('winner' in decision ? decision.winner : null)
  const scores = (decision: typeof one) => ('scores' in decision ? decision.scores : null)
  return one.outcome === another.outcome && winner(one) === winner(another) && isSamePair(scores(one), scores(another))
}

type Scores = readonly [number | null, number | null] | null

function isSamePair(one: Scores, another: Scores): boolean {
  if (one === null || another === null) return one === another
  return one[0] === another[0] && one[1] === another[1]
}
