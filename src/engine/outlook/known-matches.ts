import { countOpen, type Question } from './question.ts'

/**
 * Completions of matches of which all sides are known. Both questions are answered by a search that tries what may matter
 * alone: a match goes to the side that it helps where the other one is beyond help, and is tried in every way only where
 * both want it. (match-flows: Spectators, rule 3)
 */

/** What a match brings its sides above a loss. */
type Gains = readonly [number, number]

interface State {
  readonly bar: number
  /** As if every match were lost. */
  readonly points: number[]
  /** Matches to come of each. */
  readonly left: number[]
  /** Of a win, and of a draw; that is null where there are none. */
  readonly win: number
  readonly draw: number | null
}

/** Whether some completion brings at least `wanted` of the others to the bar. */
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

/** Whether some completion lets at most `allowed` of the others pass the bar. */
export function canHold(question: Question, allowed: number): boolean {
  const state = stateOf(question)
  const { bar, points, left, win, draw } = state
  /** Whoever has passed, or never will, may win. */
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

/** As many as can reach the bar if everybody wins everything. */
export function mayReachAlone(question: Question, wanted: number): boolean {
  const { bar, points, left, win } = stateOf(question)
  return points.filter((own, team) => own + win * at(left, team) >= bar).length >= wanted
}

/** As few as pass the bar if everybody loses everything. */
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
  /** When all matches are over. */
  readonly isMet: () => boolean
  /** Looked at before a match is tried in every way. */
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
