import { Type } from 'typebox'
import { command, tournamentPath } from '../../../../core/operation.ts'
import { checkReach } from '../../../../infra/http/refusals.ts'
import { DivisionQuery } from '../../../brackets/matches/bodies.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { StateView } from '../../flowSessions/views/state.ts'
import { BeginBody, EndBody, FreeBody } from '../bodies.ts'
import { answer } from '../commands/changing.ts'
import { finishSession, restartSession } from '../commands/ending.ts'
import { beginFree } from '../commands/free.ts'
import { beginMatch } from '../commands/matches.ts'
import { withStateOfMatch } from '../commands/refused.ts'
import { maxFree, maxLiveOfOne, maxOfMatch } from '../rules.ts'
import { changeProblems, matchProblems, refusals, sessionPath } from './common.ts'

/** The limits on a user's running free sessions and on the stored free sessions. */
const freeProblems = { 'flow.too_many_live': 409, 'flow.limit_reached': 409 } as const

const doBegin = command({
  name: 'flowSessions.begin',
  method: 'POST',
  path: `${tournamentPath}/matches/:match/flow`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Begin a match with its session, by the planned flow and pool or by others.',
  description:
    'The session has its own copies of flow, pool and teams: later edits change nothing in it. The pool must be published with all its maps. What is drawn is committed to first, and can be checked by anybody afterwards. In a rehearsal speakers cannot be named.',
  query: Type.Object(DivisionQuery),
  body: BeginBody,
  bodyOptional: true,
  reply: { 201: StateView },
  problems: {
    ...matchProblems,
    'match.ambiguous': 409,
    'tournament.cancelled': 409,
    'bracket.unknown': 404,
    'bracket.incomplete': 409,
    'team.unknown': 404,
    'flow.unknown': 404,
    'flow.unplanned': 409,
    'flow.match_begun': 409,
    'flow.running': 409,
    'flow.limit_reached': 409,
    'flow.invalid': 409,
    'service.busy': 503,
    'pool.unknown': 404,
    'pool.unpublished': 409,
    'rehearsal.not_possible': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, match, body = {}, services, now }) => {
    // Speakers may be any accounts.
    checkReach(tournament, body.speakers !== undefined)
    const beginner = { actor, now, publicUrl: services.config.publicUrl }
    return withStateOfMatch(tx, tournament, match, beginner, async () =>
      answer(tx, actor, await beginMatch(tx, actor, services.threads, tournament, match, body, now)),
    )
  },
})

const doBeginFree = command({
  name: 'flowSessions.beginFree',
  method: 'POST',
  path: `${tournamentPath}/flow-sessions`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Begin a session without a match: a lobby, a showmatch, a rehearsal.',
  description: `It touches no bracket and no statistics. Seats are teams of the tournament, or names alone, for which referees act. One that is not public is for referees and speakers, and is deleted after seven days. Nobody has more than ${maxLiveOfOne} that are not over, in all tournaments; a tournament has ${maxFree} at most, whatever became of them.`,
  body: FreeBody,
  reply: { 201: StateView },
  problems: {
    'tournament.cancelled': 409,
    'team.unknown': 404,
    'flow.unknown': 404,
    'flow.seats_invalid': 400,
    'flow.invalid': 409,
    ...freeProblems,
    'service.busy': 503,
    'pool.unknown': 404,
    'rehearsal.not_possible': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, body, services }) => {
    // Speakers may be any accounts.
    checkReach(tournament, body.speakers !== undefined)
    const input = { ...body, public: body.public === true }
    return answer(tx, actor, await beginFree(tx, actor, services.threads, tournament, input))
  },
})

const doRestart = command({
  name: 'flowSessions.restart',
  method: 'POST',
  path: `${sessionPath}/restart`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Begin a session anew, as long as no map has ended.',
  description: `The old one is void, and kept. The answer is the state of the new one, which has a GUID of its own. A match has ${maxOfMatch} sessions at most, those that were begun anew included.`,
  body: EndBody,
  reply: { 200: StateView },
  problems: { ...changeProblems, ...matchProblems, ...freeProblems, 'flow.map_final': 409 },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) =>
    restartSession(tx, actor, { tournament, session }, body, now),
})

const doFinish = command({
  name: 'flowSessions.finish',
  method: 'POST',
  path: `${sessionPath}/finish`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'End a session without a result.',
  description: 'A match goes on by hand: its maps and its result are told as without a session.',
  body: EndBody,
  reply: { 200: StateView },
  problems: { ...changeProblems, ...matchProblems },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) =>
    finishSession(tx, actor, { tournament, session }, body, now),
})

export const beginningOperations = [doBegin, doBeginFree, doRestart, doFinish]
