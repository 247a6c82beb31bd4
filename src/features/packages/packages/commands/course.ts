import { Problem } from '../../../../core/problem.ts'
import { settle } from '../../../../engine/progress.ts'
import { checkDecision } from '../../../../engine/reports.ts'
import { decisionOutcomes, type Match } from '../../../../engine/types.ts'
import { stateOf, withdrawnOf } from '../../../brackets/brackets/rules/plan.ts'
import { toEngine } from '../../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { firstLie, type Lie, ofBracket, ofMatch, originOf, shown, type WholeBracket } from './lies.ts'

/**
 * The course of a bracket follows from the teams in its slots, from what was reported and from who has left: which
 * teams meet, how each match ends, and how far the bracket is. (P6)
 *
 * Some things no row can explain, and are taken as they are: the length of a single match, which organisers set; the
 * winner of a walkover between two teams that have both left, which is the one who left later; the winner of a map,
 * which referees may decide against the scores.
 */
export function courseLie(whole: WholeBracket): Lie | null {
  const { bracket, entrants, matches } = whole
  const reported = firstLie(matches, (record) => {
    const skipped = record.games.find(({ number }, index) => number !== index + 1)
    if (skipped !== undefined) {
      const of = { matchGuid: record.guid, number: skipped.number }
      return { kind: 'games', member: 'number', of, words: 'is not the next after the games before it' }
    }
    const fault = reportFault(toEngine(record), bracket.settings) ?? timesFault(record)
    if (fault === null) return null
    return ofMatch(record, fault.member, fault.words)
  })
  if (reported !== null) return reported
  const given = matches.map(toEngine)
  const computed = settle({ entrants, matches: given.map(withByes) }, { withdrawn: withdrawnOf(entrants) })
  return (
    firstLie(matches, (record, index) => matchLie(record, given[index] as Match, computed[index] as Match)) ??
    totalsLie(whole, computed)
  )
}

/** A bye stays empty: no other match fills it. */
function withByes(match: Match): Match {
  const side = (own: Match['sides'][number]) => (own.bye ? { ...own, team: null, empty: true } : own)
  return { ...match, sides: [side(match.sides[0]), side(match.sides[1])] }
}

interface Fault {
  readonly member: string
  readonly words: string
}

const mostGames = 99

/** What is wrong with the reports of a match, which the verdict on it is computed from. */
export function reportFault(match: Match, { allowDraws }: { readonly allowDraws: boolean }): Fault | null {
  const { bestOf, games, decision, started, reopened } = match
  if (!(Number.isInteger(bestOf) && bestOf % 2 === 1 && bestOf >= 1 && bestOf <= mostGames)) {
    return { member: 'bestOf', words: `must be an odd number from 1 to ${mostGames}` }
  }
  if (games.some(({ number }, index) => number !== index + 1)) {
    return { member: 'games', words: 'must be numbered from 1, without gaps' }
  }
  // A walkover that stays when its withdrawal is taken back is decided, but has not begun.
  const isKept = decision !== null && needsNoScores(decision.outcome) && decision.begun !== true
  if (!started && (games.length > 0 || reopened || (decision !== null && !isKept))) {
    return { member: 'started', words: 'must be true, because of what was reported' }
  }
  if ((started || decision !== null) && match.sides.some(({ team }) => team === null)) {
    return { member: 'started', words: 'must be false, since a team is not known' }
  }
  if (decision === null) return null
  if (reopened) return { member: 'reopened', words: 'must be false, because of the decision' }
  return decisionFault(match, decision, allowDraws)
}

function decisionFault(match: Match, decision: NonNullable<Match['decision']>, allowDraws: boolean): Fault | null {
  const member = 'decision'
  const { outcome } = decision
  const winner = 'winner' in decision ? decision.winner : null
  const needsWinner = outcome === 'score' || outcome === 'walkover'
  const isWinner = winner === 0 || winner === 1
  if (!decisionOutcomes.includes(outcome) || needsWinner !== isWinner) return { member, words: 'is none' }
  const scores = 'scores' in decision ? decision.scores : null
  if (scores !== null && (scores.length !== 2 || needsNoScores(outcome))) return { member, words: 'has other scores' }
  try {
    checkDecision(match, decision, allowDraws)
    return null
  } catch (error) {
    if (error instanceof Problem) return { member, words: `cannot be: ${error.message.replace(/\.$/, '')}` }
    throw error
  }
}

const needsNoScores = (outcome: string) => outcome === 'walkover' || outcome === 'double_forfeit'

function timesFault({ started, status, startedAt, completedAt }: MatchRecord): Fault | null {
  if (started !== (startedAt !== null)) {
    return { member: 'startedAt', words: started ? 'must be a time' : 'must be null, since the match has not begun' }
  }
  if ((status === 'completed') === (completedAt !== null)) return null
  return { member: 'completedAt', words: completedAt === null ? 'must be a time' : 'must be null' }
}

/** Compares a match with what the bracket makes of it. */
function matchLie(record: MatchRecord, given: Match, computed: Match): Lie | null {
  for (const [index, member] of (['team1Guid', 'team2Guid'] as const).entries()) {
    const side = computed.sides[index]
    if (side === undefined || side.team === given.sides[index]?.team) continue
    const words = side.team === null ? 'must be null, since no team has come there' : `must be ${originOf(side)}`
    return ofMatch(record, member, words)
  }
  for (const member of ['status', 'outcome'] as const) {
    if (given[member] !== computed[member]) return ofMatch(record, member, `must be ${shown(computed[member])}`)
  }
  const index = computed.sides.findIndex(({ score, result, empty }, at) => {
    const own = given.sides[at]
    return own?.score !== score || own.result !== result || own.empty !== empty
  })
  const wrong = computed.sides[index]
  if (wrong === undefined) return null
  const { score, result, empty } = wrong
  return ofMatch(record, 'sides', `must have on side ${index + 1}: ${shown({ score, result, empty })}`)
}

function totalsLie({ bracket, entrants }: WholeBracket, computed: readonly Match[]): Lie | null {
  const { format } = bracket
  if (format !== 'swiss' && bracket.roundsMade !== 0) return ofBracket(bracket, 'roundsMade', 'must be 0')
  const totals = stateOf(bracket, entrants, computed)
  for (const member of ['open', 'started', 'status'] as const) {
    if (bracket[member] !== totals[member]) return ofBracket(bracket, member, `must be ${shown(totals[member])}`)
  }
  return null
}
