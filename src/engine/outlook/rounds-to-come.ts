import { countOpen, type Field, type Question } from './question.ts'

/**
 * Completions of a Swiss bracket: any pairing of the remaining teams, round by round. (match-flows: Spectators, rule 4)
 *
 * Each round gives half of the teams, rounded up, a win: one per match, and the bye. Where only wins are worth points,
 * and a bye is worth a win, any teams can have these wins, at most one per round; so counting the wins is enough.
 * Matches that are already paired are counted in the same way, as if their teams could still play anybody. This ignores
 * the actual pairs: some certain results are missed, but no wrong ones are reported.
 */

/** Whether only wins are worth points, so that counting wins shows what is possible. */
export function isCountable({ worth, allowDraws, rounds }: Field): boolean {
  return !allowDraws && worth.loss === 0 && rounds.byePoints === worth.win
}

/** Whether at least `wanted` other teams may reach the bar while the team itself wins nothing more. */
export function mayReach(question: Question, wanted: number): boolean {
  const { field, points } = question
  const { bar, most, worst } = boundsOf(question)
  if (!isCountable(field)) return points.filter((own, team) => own + at(most, team) >= bar + worst).length >= wanted
  const { win } = field.worth
  const lacking = points
    .map((own, team) => ({ wins: own >= bar + worst ? 0 : Math.ceil((bar + worst - own) / win), most: at(most, team) }))
    .filter((other) => other.wins * win <= other.most)
    .map(({ wins }) => wins)
    .toSorted((one, other) => one - other)
  if (lacking.length < wanted) return false
  return sum(lacking.slice(0, wanted)) <= winsOfOthers(question, 0)
}

/** Whether at most `allowed` other teams may end above the bar while the team itself wins everything. */
export function mayHold(question: Question, allowed: number): boolean {
  const { field, points, team } = question
  const { bar, most, least, best } = boundsOf(question)
  const top = bar + best
  if (!isCountable(field)) return points.filter((own, other) => own + at(least, other) > top).length <= allowed
  const { win } = field.worth
  const passed = points.filter((own) => own > top).length
  if (passed > allowed) return false
  if (win === 0) return true
  let room = 0
  const more: number[] = []
  for (const [other, own] of points.entries()) {
    const wins = at(most, other) / win
    const held = own > top ? wins : Math.min(wins, Math.floor((top - own) / win))
    room += held
    more.push(wins - held)
  }
  room += sum(more.toSorted((one, other) => other - one).slice(0, allowed - passed))
  return room >= winsOfOthers(question, field.rounds.isIn[team] ? 1 : 0)
}

/** The number of wins left for the other teams, when the team wins `ownPerRound` in each round to come. */
function winsOfOthers({ field: { rounds }, team, open }: Question, ownPerRound: number): number {
  const size = rounds.isIn.filter((isIn) => isIn).length
  const own = size === 1 && rounds.isIn[team] ? 1 : ownPerRound
  return open.length + rounds.count * (Math.ceil(size / 2) - own)
}

/**
 * The most and the least that each other team can still gain, and the worst and the best gain of the team itself in
 * rounds to come.
 */
function boundsOf({ field, team, bar, points, open }: Question) {
  const { worth, rounds } = field
  const size = rounds.isIn.filter((isIn) => isIn).length
  const isOdd = size % 2 === 1
  const isAlone = size === 1
  const bye = isAlone ? [rounds.byePoints] : isOdd ? [rounds.byePoints, worth.win, worth.loss] : [worth.win, worth.loss]
  const [worst, best] = [rounds.count * Math.min(...bye), rounds.count * Math.max(...bye)]
  const left = countOpen(open, points.length)
  const gains = (ofRounds: number, ofMatch: number) =>
    points.map((_, other) => (other === team ? 0 : at(left, other) * ofMatch + (rounds.isIn[other] ? ofRounds : 0)))
  const isIn = rounds.isIn[team] ?? false
  return {
    bar,
    most: gains(best, worth.win),
    least: gains(worst, worth.loss),
    worst: isIn ? worst : 0,
    best: isIn ? best : 0,
  }
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
