import type { Match, Side, WithdrawalPolicy } from '../../src/engine/types.ts'
import type { Shape } from './brackets.ts'

/**
 * Invariants of a bracket, written a second time in another way than in the engine: by looking at the whole bracket.
 */

/** The faults of a bracket in words; empty when every match follows from earlier matches and its own reports. */
export function faults(matches: readonly Match[], withdrawn: ReadonlyMap<string, WithdrawalPolicy>): string[] {
  const byNumber = new Map(matches.map((match) => [match.number, match]))
  return matches.flatMap((match) => {
    const wrong: string[] = []
    const check = (holds: boolean, what: string) => {
      if (!holds) wrong.push(`match ${match.number}: ${what}`)
    }
    for (const side of match.sides) {
      if (side.from === null) continue
      const feeder = byNumber.get(side.from.match)
      const expected = feeder === undefined ? 'pending' : leaving(feeder, side.from.outcome, match)
      check(
        side.team === (expected === 'pending' || expected === 'nobody' ? null : expected),
        `has ${side.team}, not ${expected}`,
      )
      check(side.empty === (expected === 'nobody'), `is empty: ${side.empty}, though it gets ${expected}`)
    }
    check(match.status === expectedStatus(match, withdrawn), `is ${match.status}`)
    check((match.outcome !== null) === (match.status === 'completed'), `is ${match.status} with ${match.outcome}`)
    check(
      isSound(match, withdrawn),
      `${match.outcome} ${JSON.stringify(match.sides)} of ${JSON.stringify(match.decision)}`,
    )
    const touched = match.games.length > 0 || match.decision !== null || match.reopened
    // A walkover that stays after its team has returned does not count as started. (D60)
    const isGivenUp = match.decision?.outcome === 'walkover' || match.decision?.outcome === 'double_forfeit'
    check(!touched || match.started || (isGivenUp && match.games.length === 0), 'has reports and was not started')
    check(!touched || match.sides.every(({ team }) => team !== null), 'has reports of nobody')
    check(
      match.games.every(({ number }, index) => number === index + 1),
      'has gaps between its games',
    )
    return wrong
  })
}

/** The team that a match passes to another one; or `nobody`, or `pending` while it is unknown. */
function leaving(feeder: Match, outcome: 'winner' | 'loser', consumer: Match): string {
  if (feeder.status === 'cancelled') return 'nobody'
  if (feeder.status !== 'completed') return 'pending'
  const upperLost = feeder.sides[0].team !== null && feeder.sides[1].result === 'win'
  if (consumer.conditional && !upperLost) return 'nobody'
  const winner = feeder.sides.find(({ result }) => result === 'win')
  const loser = winner && feeder.sides.find(({ result }) => result !== 'win')
  return (outcome === 'winner' ? winner : loser)?.team ?? 'nobody'
}

function expectedStatus(match: Match, withdrawn: ReadonlyMap<string, unknown>): Match['status'] {
  const teams = match.sides.flatMap(({ team }) => team ?? [])
  const empty = match.sides.filter((side) => side.empty).length
  if (empty === 2) return 'cancelled'
  if (teams.length === 0) return 'locked'
  if (teams.length === 1) return empty === 1 ? 'completed' : 'waiting'
  if (match.decision !== null || teams.some((team) => withdrawn.has(team))) return 'completed'
  const most = Math.max(...[0, 1].map((side) => match.games.filter(({ winner }) => winner === side).length))
  if (most * 2 > match.bestOf && !match.reopened) return 'completed'
  return match.started ? 'running' : 'ready'
}

/** Whether the results of the sides agree with the outcome, and the outcome with its origin. */
function isSound(
  { outcome, sides, decision, reopened, games, bestOf }: Match,
  withdrawn: ReadonlyMap<string, unknown>,
): boolean {
  const results = sides
    .map(({ result }) => String(result))
    .sort()
    .join(' ')
  const expected = {
    score: 'loss win',
    walkover: 'forfeit win',
    double_forfeit: 'forfeit forfeit',
    draw: 'draw draw',
    bye: 'null win',
  }
  if (results !== (outcome === null ? 'null null' : expected[outcome])) return false
  const winner = sides.findIndex(({ result }) => result === 'win')
  if (decision !== null) return outcome === decision.outcome && (!('winner' in decision) || decision.winner === winner)
  if (outcome === 'bye') return sides.some(({ bye }) => bye)
  const wins = games.filter((played) => played.winner === winner).length
  if (outcome === 'score') return !reopened && wins * 2 === bestOf + 1
  const left = ({ team, empty }: Side) => empty || (team !== null && withdrawn.has(team))
  if (outcome === 'walkover') return sides.some((side) => side.result === 'forfeit' && left(side))
  return outcome === null || (outcome === 'double_forfeit' && sides.every(left))
}

/** Teams that are in a match although they were eliminated. */
export function ghosts(matches: readonly Match[], { format }: Shape): string[] {
  if (format === 'round_robin') return []
  const lives = format === 'single_elimination' ? 1 : 2
  const lost = new Map<string, number>()
  return matches.flatMap((match) => {
    const present = match.sides.flatMap(({ team }) => team ?? [])
    const out = present.filter((team) => match.section !== 'third_place' && (lost.get(team) ?? 0) >= lives)
    for (const { team, result } of match.sides) {
      if (team === null || match.section === 'third_place') continue
      if (result === 'loss') lost.set(team, (lost.get(team) ?? 0) + 1)
      if (result === 'forfeit') lost.set(team, match.outcome === 'double_forfeit' ? lives : (lost.get(team) ?? 0) + 1)
    }
    return out.map((team) => `${team} stands in match ${match.number}`)
  })
}
