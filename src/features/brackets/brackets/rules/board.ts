import type { Match, Side } from '../../../../engine/types.ts'
import { isOver } from '../../../../engine/verdict.ts'
import type { Bracket, MatchRecord, StoredGame, StoredSide } from '../types.ts'

/** Between the rows that are kept and the matches that the engine knows. */

/** The match as the engine knows it, by its number in the division. */
export function toEngine(record: MatchRecord): Match {
  const { number, section, round, winnerTo, loserTo, conditional, pairing, bestOf } = record
  const { decision, started, reopened, status, outcome, games } = record
  const [first, second] = record.sides
  return {
    ...{ number, section, round, winnerTo, loserTo, conditional, pairing, bestOf },
    ...{ decision, started, reopened, status, outcome, games },
    group: record.groupIndex,
    sides: [sideOf(first, record.team1Guid), sideOf(second, record.team2Guid)],
  }
}

function sideOf({ slot, from, bye, empty, score, result }: StoredSide, team: string | null): Side {
  const source = from === null ? null : { match: from.match, outcome: from.outcome }
  return { slot, from: source, bye, team, empty, score, result }
}

/**
 * The row of a match that the engine has altered.
 * @param now for what began or ended with this
 */
export function played(record: MatchRecord, match: Match, now: Date): MatchRecord {
  const { bestOf, decision, started, reopened, status, outcome } = match
  const [first, second] = match.sides
  const isCompleted = status === 'completed'
  return {
    ...record,
    ...{ bestOf, decision, started, reopened, status, outcome },
    // Games come from rows and requests alone, both of which give them this detail.
    games: match.games as readonly StoredGame[],
    team1Guid: first.team,
    team2Guid: second.team,
    sides: [stored(first, record.sides[0]), stored(second, record.sides[1])],
    startedAt: started ? (record.startedAt ?? now) : null,
    completedAt: isCompleted ? (record.completedAt ?? now) : null,
    revision: record.revision + 1,
    updatedAt: now,
  }
}

/** The tree itself never changes: where a side comes from is as it was. */
function stored({ slot, bye, empty, score, result }: Side, { from }: StoredSide): StoredSide {
  return { slot, from, bye, empty, score, result }
}

type Progress = Pick<Bracket, 'status' | 'open' | 'started'>

/**
 * The bracket's totals and status, of what they were and of the matches that changed. A draft stays one: placing teams
 * makes it ready, not playing.
 */
export function progress(
  bracket: Bracket,
  changed: readonly { readonly before: MatchRecord; readonly after: MatchRecord }[],
): Progress {
  let { open, started } = bracket
  for (const { before, after } of changed) {
    open += Number(!isOver(after)) - Number(!isOver(before))
    started += Number(after.started) - Number(before.started)
  }
  return { open, started, status: bracket.status === 'draft' ? 'draft' : statusOf({ ...bracket, open, started }) }
}

/** The status of a bracket that has all its teams. (additions: Divisions, brackets, matches) */
export function statusOf({
  format,
  settings,
  roundsMade,
  open,
  started,
}: Pick<Bracket, 'format' | 'settings' | 'roundsMade' | 'open' | 'started'>): Bracket['status'] {
  const isWhole = format !== 'swiss' || roundsMade >= settings.rounds
  if (open === 0 && isWhole) return 'completed'
  return started > 0 || roundsMade > 1 ? 'running' : 'ready'
}
