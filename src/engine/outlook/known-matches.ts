import { countOpen, type Question } from './question.ts'

/**
 * Completions of open matches whose teams are all known. A search answers both questions, and tries only results that
 * may matter: where one team gains nothing from a win, the other team wins; all results are tried only where both teams
 * matter. (match-flows: Spectators, rule 3)
 */

/** The points that a result gives the two sides, above those of a loss. */
type Gains = readonly [number, number]

interface State {
  readonly bar: number
  /** The points of each team if it loses every open match. */
  readonly points: number[]
  /** The number of open matches of each team. */
  readonly left: number[]
  /** The points of a win and of a draw, above those of a loss; `draw` is null where draws are not allowed. */
  readonly win: number
  readonly draw: number | null
}

/** Whether in some completion at least `wanted` other teams reach the bar. */
export function canReach(question: Question, wanted: number): boolean {
  const state = stateOf(question)
  const { bar, points, left, win, draw } = state
  const needs = (team: number) => at(points, team) < bar && at(points, team) + win * at(left, team) >= bar
  const mayReach = (matches: number): boolean => {
    const reached = points.filter((own) => own >= bar).length
    if (reached >= wanted) return true
    const lacking = points.flatMap((own, team) => (needs(team) ? bar - own : [])).toSorted((one, other) => one - other)
    if (reached + lacking.length < wanted) return false
    const least = lacking.slice(0, wanted - reached)
    return draw === null
      ? sum(least.map((lack) => Math.ceil(lack / win))) <= matches
      : sum(least) <= matches * Math.max(win, 2 * draw)
  }
  return search(question, state, {
    isMet: () => points.filter((own) => own >= bar).length >= wanted,
    isPossible: mayReach,
    choose(first, second, every) {
      if (!needs(first)) return every.second
      if (!needs(second)) return every.first
      if (at(left, first) > 1 || at(left, second) > 1) return every.all
      const isEnoughForBoth = draw !== null && at(points, first) + draw >= bar && at(points, second) + draw >= bar
      return isEnoughForBoth ? every.draw : every.first
    },
  })
}

/** Whether in some completion at most `allowed` other teams pass the bar. */
export function canHold(question: Question, allowed: number): boolean {
  const state = stateOf(question)
  const { bar, points, left, win, draw } = state
  /** A team that has passed the bar already, or cannot pass it, may win freely. */
  const isFree = (team: number) => at(points, team) > bar || at(points, team) + win * at(left, team) <= bar
  const mayHold = (matches: number): boolean => {
    const passed = points.filter((own) => own > bar).length
    if (passed > allowed) return false
    let room = 0
    const more: number[] = []
    for (const [team, own] of points.entries()) {
      const most = win * at(left, team)
      const held = own > bar ? most : Math.min(most, draw === null ? Math.floor((bar - own) / win) * win : bar - own)
      room += held
      more.push(most - held)
    }
    room += sum(more.toSorted((one, other) => other - one).slice(0, allowed - passed))
    return room >= matches * (draw === null ? win : Math.min(win, 2 * draw))
  }
  return search(question, state, {
    isMet: () => points.filter((own) => own > bar).length <= allowed,
    isPossible: mayHold,
    choose(first, second, every) {
      if (isFree(first)) return every.first
      if (isFree(second)) return every.second
      if (at(left, first) > 1 || at(left, second) > 1) return every.all
      const isLittleForBoth = draw !== null && at(points, first) + draw <= bar && at(points, second) + draw <= bar
      return isLittleForBoth ? every.draw : every.first
    },
  })
}

/** An upper estimate without a search: whether `wanted` teams reach the bar if every team wins all its matches. */
export function mayReachAlone(question: Question, wanted: number): boolean {
  const { bar, points, left, win } = stateOf(question)
  return points.filter((own, team) => own + win * at(left, team) >= bar).length >= wanted
}

/**
 * A lower estimate without a search: whether at most `allowed` teams pass the bar if every team loses all its matches.
 */
export function mayHoldAlone(question: Question, allowed: number): boolean {
  const { bar, points } = stateOf(question)
  return points.filter((own) => own > bar).length <= allowed
}

function stateOf({ field: { worth, allowDraws }, bar, points, open }: Question): State {
  const left = countOpen(open, points.length)
  return {
    bar,
    points: points.map((own, team) => own + worth.loss * at(left, team)),
    left,
    win: worth.win - worth.loss,
    draw: allowDraws ? worth.draw - worth.loss : null,
  }
}

type Ways = Readonly<Record<'first' | 'second' | 'draw' | 'all', readonly Gains[]>>

interface Goal {
  /** Checked once all matches have a result. */
  readonly isMet: () => boolean
  /** Checked before all results of a match are tried; false ends that branch. */
  readonly isPossible: (matches: number) => boolean
  readonly choose: (first: number, second: number, ways: Ways) => readonly Gains[]
}

function search({ open }: Question, { points, left, win, draw }: State, goal: Goal): boolean {
  const [first, second]: [Gains, Gains] = [
    [win, 0],
    [0, win],
  ]
  const level: Gains[] = draw === null ? [] : [[draw, draw]]
  const ways: Ways = { first: [first], second: [second], draw: level, all: [first, second, ...level] }
  const visit = (index: number): boolean => {
    const match = open[index]
    if (match === undefined) return goal.isMet()
    const [one, other] = match
    const chosen = goal.choose(one, other, ways)
    if (chosen === ways.all && !goal.isPossible(open.length - index)) return false
    add(left, one, -1)
    add(left, other, -1)
    let isFound = false
    for (const [gain, others] of chosen) {
      add(points, one, gain)
      add(points, other, others)
      isFound = visit(index + 1)
      add(points, one, -gain)
      add(points, other, -others)
      if (isFound) break
    }
    add(left, one, 1)
    add(left, other, 1)
    return isFound
  }
  return visit(0)
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0
}

function add(values: number[], index: number, value: number): void {
  values[index] = at(values, index) + value
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
