import { conflict, invalid, missing } from '../core/problem.ts'
import type { MatchChange } from './changes.ts'
import { isSameGame } from './propagation.ts'
import type { Board, Decision, Game, Match } from './types.ts'
import { decisiveGame, type Withdrawn, winsNeeded, withBegun } from './verdict.ts'

/** The changes that a match allows, and how each is recorded. `propagate` works out the consequences. */

/** The match with the change recorded, before any consequences; the same object when the change alters nothing. */
export function record(match: Match, change: MatchChange, board: Board): Match {
  if (change.kind === 'start') return start(match)
  if (change.kind === 'game') return recordGame(match, change.game)
  if (change.kind === 'remove_game') return removeGame(match, change.number)
  if (change.kind === 'games') return recordAll(match, change)
  if (change.kind === 'result') return recordResult(match, change.decision, board.allowDraws)
  return reopen(match, board.withdrawn)
}

function start(match: Match): Match {
  checkTeamsAreKnown(match)
  if (match.status === 'completed') throw isCompleted()
  if (match.status === 'running') throw conflict('match.running', 'The match is running already.')
  return { ...match, started: true }
}

/**
 * Games are numbered from 1 without gaps. A tie takes a number, so each tie allows one more game. No game may follow
 * the deciding one. An identical report changes nothing, whatever the state of the match: a repeated message never
 * undoes a later step.
 */
function recordGame(match: Match, game: Game): Match {
  if (match.games.some((recorded) => isSameGame(recorded, game))) return match
  checkTeamsAreKnown(match)
  if (match.status === 'completed') throw isCompleted()
  if (!Number.isInteger(game.number) || game.number < 1) {
    throw invalid('game.number_invalid', 'Games are numbered from 1.')
  }
  const next = match.games.length + 1
  if (game.number > next) throw conflict('game.out_of_order', `The next game of this match is number ${next}.`)
  const games =
    game.number === next
      ? [...match.games, game]
      : match.games.map((played) => (played.number === game.number ? game : played))
  const decides = decisiveGame(games, match.bestOf)
  if (decides !== null && decides.number < games.length) {
    throw conflict(
      'game.not_needed',
      `Game ${decides.number} would decide the match, and no game can follow it: correct it, or remove the last games first.`,
    )
  }
  return { ...match, games, started: true, reopened: false }
}

/**
 * Records all games and the decision without checks against each other: the log may hold more games than decide the
 * match, and a decision overrides them.
 */
function recordAll(match: Match, { games, decision, reopened }: Pick<Match, 'games' | 'decision' | 'reopened'>): Match {
  checkTeamsAreKnown(match)
  return { ...match, games, decision: decision && withBegun(match, decision), started: true, reopened }
}

function removeGame(match: Match, number: number): Match {
  if (match.status === 'completed') throw isCompleted()
  if (match.status !== 'running') throw conflict('match.not_running', 'Games can be removed only while the match runs.')
  if (!match.games.some((game) => game.number === number)) {
    throw missing('game.unknown', 'This match has no game with this number.')
  }
  if (number !== match.games.length) {
    throw conflict('game.not_last', `Only the last game can be removed, which is number ${match.games.length}.`)
  }
  return { ...match, games: match.games.slice(0, -1), reopened: false }
}

/** A result can be given whenever both teams are known: before, during and after play, and repeatedly. */
function recordResult(match: Match, decision: Decision, allowDraws: boolean): Match {
  checkTeamsAreKnown(match)
  checkDecision(match, decision, allowDraws)
  return { ...match, decision: withBegun(match, decision), started: true, reopened: false }
}

/**
 * Reopens a completed match. Refused when a team of the match has withdrawn: a match decided by the withdrawal has no
 * play to continue, and any other match would immediately go to the other team.
 */
function reopen(match: Match, withdrawn: Withdrawn): Match {
  checkTeamsAreKnown(match)
  if (match.status !== 'completed') throw conflict('match.not_completed', 'Only a completed match can be reopened.')
  if (match.sides.some(({ team }) => team !== null && withdrawn.has(team))) {
    throw conflict('match.team_withdrawn', 'A team of this match has withdrawn: correct the result instead.')
  }
  return { ...match, decision: null, started: true, reopened: true }
}

function checkTeamsAreKnown(match: Match): void {
  if (match.status === 'cancelled') throw conflict('match.cancelled', 'The match is cancelled: nobody plays it.')
  if (match.status === 'completed' && match.sides.some(({ team }) => team === null)) {
    throw conflict('match.no_opponent', 'The match has one team only, which advances without a result.')
  }
  if (match.sides.some(({ team }) => team === null)) {
    throw conflict('match.not_ready', 'Both teams of the match must be known first.')
  }
}

function isCompleted() {
  return conflict('match.completed', 'The match is completed: correct its result, or reopen it.')
}

/**
 * Draws are possible only in groups and Swiss brackets that allow them, because in an elimination bracket one team must
 * advance. Scores are games won. They may be below the deciding number, because time can run out.
 */
export function checkDecision(match: Match, decision: Decision, allowDraws: boolean): void {
  const inTable = match.section === 'group' || match.section === 'swiss'
  if (decision.outcome === 'draw' && !(allowDraws && inTable)) {
    throw invalid('match.draw_not_allowed', 'Matches of this bracket cannot end in a draw.')
  }
  if (!('scores' in decision) || decision.scores === null) return
  const needed = winsNeeded(match.bestOf)
  const most = decision.outcome === 'draw' ? needed - 1 : needed
  if (!decision.scores.every((score) => Number.isInteger(score) && score >= 0 && score <= most)) {
    throw invalid('match.scores_invalid', `Scores are numbers of games won, from 0 to ${most}.`)
  }
  const [first, second] = decision.scores
  if (decision.outcome === 'draw' && first !== second) {
    throw invalid('match.scores_invalid', 'The scores of a draw must be equal.')
  }
  if (decision.outcome === 'score' && (decision.winner === 0 ? first <= second : second <= first)) {
    throw invalid('match.scores_invalid', 'The winner needs the higher score.')
  }
}
