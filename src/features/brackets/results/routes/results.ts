import { Type } from 'typebox'
import { command } from '../../../../core/operation.ts'
import { DivisionQuery } from '../../matches/bodies.ts'
import { MatchView, readMatchView } from '../../matches/views.ts'
import { CallBody, DryRunQuery, GameBody, MatchBody, ReopenBody, ResultBody } from '../bodies.ts'
import { callMatch } from '../commands/call.ts'
import { reopenMatch, reportResult, undoCorrection } from '../commands/corrections.ts'
import { removeGame, reportGame, startMatch } from '../commands/play.ts'
import { changeMatch } from '../commands/update.ts'
import { undoReturn } from '../commands/withdrawals.ts'
import { coordinators, referees, undoers } from '../policy.ts'
import { readNumber } from '../rules.ts'
import { CorrectionView, readCorrectionView, readWithdrawalView, WithdrawalView } from '../views.ts'
import { corrections, ofMatch } from './corrections.ts'
import { withdrawalsOperations } from './withdrawals.ts'

const matchPath = '/tournaments/:tournament/matches/:match'

const addressProblems = { 'match.ambiguous': 409, 'tournament.cancelled': 409 } as const
const playProblems = {
  ...addressProblems,
  'bracket.incomplete': 409,
  'match.not_ready': 409,
  'match.no_opponent': 409,
  'match.cancelled': 409,
  'match.completed': 409,
} as const
const correctionProblems = { 'correction.stale': 409, 'correction.limit_reached': 409 } as const

/** The response to a conflict contains the current match. */
const refusals = {
  409: Type.Object(
    {
      message: Type.String(),
      match: Type.Optional(MatchView),
    },
    { title: 'MatchConflict' },
  ),
}

const update = command({
  name: 'matches.update',
  method: 'PATCH',
  path: matchPath,
  scope: 'rest:write',
  socket: true,
  allow: coordinators,
  inRehearsals: true,
  summary: 'Change a match’s time, length, officials, addresses or notes; what is not given stays.',
  description:
    'Officials are given as a whole: whoever is not named is taken off. With a `revision`, a match that somebody else has changed since is not changed but answered. Results have operations of their own.',
  query: Type.Object(DivisionQuery),
  body: MatchBody,
  reply: { 200: MatchView },
  problems: {
    'bracket.unknown': 404,
    'user.unknown': 404,
    ...addressProblems,
    'match.nothing_to_change': 400,
    'match.invalid': 400,
    'match.best_of_invalid': 400,
    'match.started': 409,
    'match.stale': 409,
    'rehearsal.not_possible': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, body, now }) =>
    readMatchView(tx, await changeMatch(tx, actor, tournament, match, body, now), actor),
})

const call = command({
  name: 'matches.call',
  method: 'POST',
  path: `${matchPath}/call`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Call the teams of a match to play it.',
  description:
    'The members of both teams are notified, and the chat is told where the tournament announces calls. A match can be called again until it begins.',
  query: Type.Object(DivisionQuery),
  body: CallBody,
  reply: { 200: MatchView },
  problems: { 'bracket.unknown': 404, ...playProblems, 'match.running': 409 },
  refusals,
  run: async ({ tx, actor, tournament, match, body: { message }, now }) =>
    readMatchView(tx, await callMatch(tx, actor, tournament, match, message, now), actor),
})

const start = command({
  name: 'matches.start',
  method: 'POST',
  path: `${matchPath}/start`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Begin a match whose teams are both known.',
  description: 'Optional: the first map that is told begins the match as well. From then on its length is fixed.',
  query: Type.Object(DivisionQuery),
  reply: { 200: MatchView },
  problems: { 'bracket.unknown': 404, ...playProblems, 'match.running': 409 },
  refusals,
  run: async ({ tx, actor, tournament, match, now }) =>
    readMatchView(tx, await startMatch(tx, actor, tournament, match, now), actor),
})

const putGame = command({
  name: 'matches.reportGame',
  method: 'PUT',
  path: `${matchPath}/games/:number`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Tell the result of a map; the one that decides completes the match.',
  description:
    'Begins the match where nobody has. The same result again changes nothing. To change a map that has a result, give the `revision` of the match; in a completed match, correct its result or reopen it.',
  query: Type.Object(DivisionQuery),
  body: GameBody,
  reply: { 200: MatchView },
  problems: {
    'bracket.unknown': 404,
    ...playProblems,
    'game.number_invalid': 400,
    'game.winner_missing': 400,
    'game.player_unknown': 400,
    'game.not_needed': 409,
    'game.out_of_order': 409,
    'game.reported': 409,
    'match.stale': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, number, body: { revision, ...input }, now }) => {
    const report = { number: readNumber(number), input, ...(revision === undefined ? {} : { revision }) }
    return readMatchView(tx, await reportGame(tx, actor, tournament, match, report, now), actor)
  },
})

const removeLastGame = command({
  name: 'matches.removeGame',
  method: 'DELETE',
  path: `${matchPath}/games/:number`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Take the last map back, while the match runs.',
  description: 'For a map that was told by mistake. In a completed match, correct the result or reopen it instead.',
  query: Type.Object(DivisionQuery),
  reply: { 200: MatchView },
  problems: {
    'bracket.unknown': 404,
    ...playProblems,
    'game.number_invalid': 400,
    'match.not_running': 409,
    'game.unknown': 404,
    'game.not_last': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, number, now }) =>
    readMatchView(tx, await removeGame(tx, actor, tournament, match, readNumber(number), now), actor),
})

const putResult = command({
  name: 'matches.reportResult',
  method: 'PUT',
  path: `${matchPath}/result`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Give the result of a match, or correct the one that it has.',
  description:
    'A first result is answered with the match. For a completed match this is a correction: with `dryRun=true` it answers what would change; with the `revision` of that preview it does exactly that, in one step, and can be undone. A match is corrected and reopened 200 times at most, undone ones among them.',
  query: Type.Object({ ...DivisionQuery, ...DryRunQuery }),
  body: ResultBody,
  reply: { 200: Type.Union([CorrectionView, MatchView]) },
  problems: {
    'bracket.unknown': 404,
    ...playProblems,
    ...correctionProblems,
    'result.winner_missing': 400,
    'result.winner_impossible': 400,
    'match.scores_invalid': 400,
    'match.draw_not_allowed': 400,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, query: { dryRun = false }, body, now }) => {
    const { reason, revision, dryRun: isPreview = false, ...input } = body
    const correcting = { input, reason, revision, dryRun: dryRun || isPreview }
    const reported = await reportResult(tx, actor, tournament, match, correcting, now)
    return 'affected' in reported ? readCorrectionView(tx, reported) : readMatchView(tx, reported, actor)
  },
})

const reopen = command({
  name: 'matches.reopen',
  method: 'POST',
  path: `${matchPath}/reopen`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Open a completed match again.',
  description:
    'Its maps stay, and it runs until the next map or result is given. Previewed, applied and undone like a correction.',
  query: Type.Object({ ...DivisionQuery, ...DryRunQuery }),
  body: ReopenBody,
  reply: { 200: CorrectionView },
  problems: {
    'bracket.unknown': 404,
    ...playProblems,
    ...correctionProblems,
    'match.not_completed': 409,
    'match.team_withdrawn': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, query: { dryRun = false }, body, now }) => {
    const { reason, revision, resume } = body
    const correcting = { reason, revision, resume, dryRun: dryRun || body.dryRun === true }
    return readCorrectionView(tx, await reopenMatch(tx, actor, tournament, match, correcting, now))
  },
})

const undo = command({
  name: 'corrections.undo',
  method: 'POST',
  path: '/tournaments/:tournament/corrections/:correction/undo',
  scope: 'rest:write',
  socket: true,
  allow: undoers,
  inRehearsals: true,
  summary: 'Put everything that a correction changed back to what it was.',
  description:
    'Refused once one of the matches that it changed was changed again. With `dryRun=true` the answer is what would change, or the refusal, and nothing is undone. Whoever may make it may undo it: that a withdrawal was taken back is undone by the organiser and admins, and the team has left again.',
  query: Type.Object(DryRunQuery),
  reply: { 200: Type.Union([CorrectionView, WithdrawalView]) },
  problems: {
    'bracket.unknown': 404,
    'tournament.cancelled': 409,
    'tournament.over': 409,
    'team.unknown': 404,
    'correction.undone': 409,
    'correction.overtaken': 409,
  },
  run: async ({ tx, actor, tournament, correction, query: { dryRun = false }, now }) =>
    correction.teamGuid === null
      ? readCorrectionView(tx, await undoCorrection(tx, actor, tournament, { found: correction, dryRun }, now))
      : readWithdrawalView(tx, await undoReturn(tx, actor, { found: correction, dryRun }, now)),
})

export const resultsOperations = [
  ...[update, call, start, putGame, removeLastGame, putResult, reopen, corrections, ofMatch, undo],
  ...withdrawalsOperations,
]
