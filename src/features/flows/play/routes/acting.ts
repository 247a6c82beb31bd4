import { command } from '../../../../core/operation.ts'
import { forbidden } from '../../../../core/problem.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { mayReferee } from '../../../tournaments/access/policy.ts'
import { StateView } from '../../flowSessions/views/state.ts'
import { ActBody, ClaimBody, ClockBody, ExpectBody } from '../bodies.ts'
import { act, cancelClaim, claim, setClock, undo } from '../commands/acting.ts'
import { speakersAndReferees } from '../policy.ts'
import { changeProblems, matchProblems, refusals, sessionPath, speakerProblems } from './common.ts'

const doAct = command({
  name: 'flowSessions.act',
  method: 'POST',
  path: `${sessionPath}/act`,
  scope: 'rest:write',
  socket: true,
  allow: speakersAndReferees,
  inRehearsals: true,
  summary: 'Choose in a session: ban, pick, name a line-up, be ready, and whatever else the step asks for.',
  description:
    '`expect` is the last position that you have seen: of two clicks at once one counts, and the very same act sent again changes nothing. Referees act for any seat. `present` says that the seat is there; `nonce` gives it a part in the draws until the steps begin; `accept` gives up the right to a replay. A log has at most 5,000 rows, the last thousand for referees alone.',
  body: ActBody,
  reply: { 200: StateView },
  problems: {
    ...speakerProblems,
    ...matchProblems,
    'flow.wrong_action': 409,
    'flow.map_illegal': 409,
    'lineup.invalid': 409,
  },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) =>
    act(tx, actor, { tournament, session }, body, now),
})

const doClaim = command({
  name: 'flowSessions.claim',
  method: 'POST',
  path: `${sessionPath}/claims`,
  scope: 'rest:write',
  socket: true,
  allow: speakersAndReferees,
  inRehearsals: true,
  summary: 'Claim a replay of the map that was played, or, as a referee, have seats play it again.',
  description:
    'A replay is for seats that do not hold the map, while the time for claims runs. A technical replay uses up none of them: the named seats play the run again, also of a map that was final, until the next one begins.',
  body: ClaimBody,
  reply: { 200: StateView },
  problems: {
    ...speakerProblems,
    ...matchProblems,
    'claim.not_entitled': 409,
    'claim.map_limit': 409,
    'claim.none_left': 409,
    'claim.too_late': 409,
    'technical.for_referees': 403,
    'technical.no_map': 409,
    'technical.none_left': 409,
    'flow.match_completed': 409,
  },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) => {
    const { kind = 'replay', ...input } = body
    if (kind === 'technical' && !mayReferee(actor)) {
      throw forbidden('technical.for_referees', 'Technical replays are given by referees.')
    }
    return claim(tx, actor, { tournament, session }, { ...input, kind }, now)
  },
})

const doCancel = command({
  name: 'flowSessions.cancelClaim',
  method: 'POST',
  path: `${sessionPath}/claims/:claim/cancel`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Take a replay back that was claimed and has not been played.',
  description: 'It is given back to the seat, and the time for claims goes on.',
  body: ExpectBody,
  reply: { 200: StateView },
  problems: { ...changeProblems, ...matchProblems, 'claim.unknown': 404, 'claim.played': 409 },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, claim: guid, body: { expect }, now }) =>
    cancelClaim(tx, actor, { tournament, session }, { expect, guid: guid.toLowerCase() }, now),
})

const doUndo = command({
  name: 'flowSessions.undo',
  method: 'POST',
  path: `${sessionPath}/undo`,
  scope: 'rest:write',
  socket: true,
  allow: speakersAndReferees,
  inRehearsals: true,
  summary: 'Take back the last thing that somebody did, or that a lapse did.',
  description:
    'With what the system wrote because of it, and with the game, where it had made a map final. Speakers take back their own last choice, for as long as the flow allows.',
  body: ExpectBody,
  reply: { 200: StateView },
  problems: {
    ...changeProblems,
    ...matchProblems,
    'flow.paused': 409,
    'flow.nothing_to_undo': 409,
    'flow.match_completed': 409,
  },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) =>
    undo(tx, actor, { tournament, session }, body, now),
})

const doClock = command({
  name: 'flowSessions.setClock',
  method: 'POST',
  path: `${sessionPath}/clock`,
  scope: 'rest:write',
  socket: true,
  allow: speakersAndReferees,
  inRehearsals: true,
  summary: 'Pause a session, go on, give more time; or, as a seat, call a timeout.',
  description:
    'A pause keeps what is left of the time, over restarts of the service too. A match that was opened again and that its maps decide stays `decided` when it is resumed, until a map has another result; `resume: "play_on"` has it played on as it stands.',
  body: ClockBody,
  reply: { 200: StateView },
  problems: {
    ...speakerProblems,
    ...matchProblems,
    'clock.for_referees': 403,
    'clock.none': 409,
    'flow.wrong_action': 409,
    'timeout.none_left': 409,
    'timeout.no_clock': 409,
  },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) => {
    if (body.op !== 'timeout' && !mayReferee(actor)) {
      throw forbidden('clock.for_referees', 'The clock is set by referees; seats may call a timeout.')
    }
    return setClock(tx, actor, { tournament, session }, body, now)
  },
})

export const actingOperations = [doAct, doClaim, doCancel, doUndo, doClock]
