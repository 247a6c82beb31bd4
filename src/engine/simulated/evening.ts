import { graceSeconds } from '../estimate/evening.ts'
import { courseOf, latenessOf } from './course.ts'
import { moveOf } from './session.ts'
import type { Act, EveningState, FilledBracket, PlayableMatch, Players } from './types.ts'

/**
 * What happens next in an evening of simulated teams; null if nothing does. A match begins when both of its teams are
 * free, at its time or later; its maps end one after the other. Of two things at the same time the one with the lower
 * division and number is first, so that the order in which matches are given does not matter. (R4)
 */
export function nextAct(state: EveningState, players: Players): Act | null {
  const around = { ...state, ...freeingsOf(state) }
  const acts = [
    ...state.matches.flatMap((match) => actOf(match, around, players) ?? []),
    ...state.paired.flatMap(({ name, roundsLeft }) => (roundsLeft > 0 ? (pairingOf(name, state) ?? []) : [])),
    ...state.filled.map((bracket) => fillingOf(bracket, state)),
  ].toSorted(inOrder)
  return acts[0]?.act ?? null
}

interface Candidate {
  readonly act: Act
  readonly division: string
  readonly number: number
}

function inOrder(one: Candidate, other: Candidate): number {
  if (one.act.at !== other.act.at) return one.act.at - other.act.at
  if (one.division !== other.division) return one.division < other.division ? -1 : 1
  return one.number - other.number
}

interface Freeings {
  readonly busy: ReadonlySet<string>
  /** When the team ended its last match. */
  readonly freeSince: ReadonlyMap<string, number>
}

function freeingsOf({ matches }: EveningState): Freeings {
  const busy = new Set<string>()
  const freeSince = new Map<string, number>()
  for (const { status, teams, completedAt } of matches) {
    for (const team of teams) {
      if (team === null) continue
      if (status === 'running') busy.add(team)
      if (completedAt !== null) freeSince.set(team, Math.max(completedAt, freeSince.get(team) ?? completedAt))
    }
  }
  return { busy, freeSince }
}

function actOf(match: PlayableMatch, state: EveningState & Freeings, players: Players): Candidate | null {
  const { division, number } = match
  if (!match.isTheirs) return null
  const act = nextIn(match, state, players)
  return act && { act, division, number }
}

function nextIn(match: PlayableMatch, state: EveningState & Freeings, players: Players): Act | null {
  if (match.status === 'ready') return startOf(match, state, players)
  if (match.status !== 'running' || match.session === undefined) return gameOf(match, state, players)
  const next = moveOf(match.session, match, players)
  return next && { at: Math.max(state.now, next.at), kind: 'move', match, move: next.move }
}

function startOf(
  match: PlayableMatch,
  { now, begin, busy, freeSince }: EveningState & Freeings,
  players: Players,
): Act | null {
  const teams = match.teams.filter((team) => team !== null)
  if (teams.length < 2 || teams.some((team) => busy.has(team))) return null
  const free = teams.map((team) => freeSince.get(team) ?? begin)
  const due = Math.max(begin, match.scheduledAt ?? begin, ...free)
  const missing = match.teams.map((team) => team !== null && players.absent.has(team))
  if (missing.includes(true)) {
    const winner = missing.every(Boolean) ? null : missing[0] === true ? 1 : 0
    return { at: Math.max(now, due + 1_000 * graceSeconds), kind: 'walkover', match, winner }
  }
  return { at: Math.max(now, due + 1_000 * latenessOf(match, players)), kind: 'start', match }
}

function gameOf(match: PlayableMatch, { now, begin }: EveningState, players: Players): Act | null {
  const game = match.status === 'running' ? courseOf(match, players)[match.games] : undefined
  if (game === undefined) return null
  const due = (match.startedAt ?? begin) + 1_000 * game.endsAfter
  return { at: Math.max(now, due), kind: 'game', match, game }
}

/** A bracket gets its teams as soon as the last match of the brackets before it has ended. */
function fillingOf({ name, after }: FilledBracket, { now, begin, matches }: EveningState): Candidate {
  const before = matches.filter((match) => after.includes(match.bracket))
  const own = matches.filter((match) => match.bracket === name)
  const due = Math.max(begin, ...before.map(({ completedAt }) => completedAt ?? begin))
  const [first] = [...own, ...before].toSorted((one, other) => one.number - other.number)
  const { division = '', number = 0 } = first ?? {}
  return { act: { at: Math.max(now, due), kind: 'fill', bracket: name }, division, number }
}

/** The next round is paired as soon as the last match of the one before has ended. */
function pairingOf(bracket: string, { now, begin, matches }: EveningState): Candidate | null {
  const own = matches.filter((match) => match.bracket === bracket)
  if (own.length === 0 || own.some(({ status }) => status !== 'over')) return null
  const due = Math.max(begin, ...own.map(({ completedAt }) => completedAt ?? begin))
  const [first] = own.toSorted((one, other) => one.number - other.number)
  const { division = '', number = 0 } = first ?? {}
  return { act: { at: Math.max(now, due), kind: 'pair', bracket }, division, number }
}
