import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { findCurrentOfMatch } from '../../../flows/flowSessions/store/sessions.ts'
import type { ProfilePart } from '../../../people/users/rules/profile-parts.ts'
import { anyStaff } from '../../../tournaments/access/policy.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { operators } from '../../assistantLinks/policy.ts'
import { CloseBody, CloseQuery, ControlBody } from '../bodies.ts'
import { closeSession, control, openSession, sessionClosed } from '../commands/sessions.ts'
import { listAudience, sessionAudience } from '../policy.ts'
import { readView, readViews } from '../queries.ts'
import { countControlled } from '../store/operators.ts'
import { findOfMatch, listOpen, lockOpenOfMatch } from '../store/sessions.ts'
import { AssistantSessionView } from '../views.ts'

/** Administrators see how many assistants a ban would free. (D24, AS5) */
export const controlledProfilePart: ProfilePart = {
  shownTo: ['administrators'],
  schema: Type.Integer({
    description: 'Match assistants that the user controls now. A ban frees them for other operators.',
    examples: [0],
  }),
  load: (db, { guid }, { now }) => countControlled(db, guid, now),
}

export const ofMatchPath = `${tournamentPath}/matches/:match/assistant` as const

const list = query({
  name: 'assistant.listSessions',
  method: 'GET',
  path: `${tournamentPath}/assistant/sessions`,
  scope: 'assistant',
  allow: anyStaff,
  summary: 'The open sessions of the tournament’s matches.',
  description:
    'The first 50, in the order in which they were opened. Of a match whose flow is shown late, staff who are neither referees nor casters see what everybody does.',
  reply: { 200: Type.Object({ sessions: Type.Array(AssistantSessionView) }, { title: 'AssistantSessions' }) },
  audience: listAudience,
  live: {
    sends: [
      'assistant.session_opened',
      'assistant.session_closed',
      'assistant.control_taken',
      'assistant.control_ended',
    ],
  },
  run: async ({ db, actor, tournament, now, depends }) => {
    depends(tournament.guid)
    const sessions = await listOpen(db, tournament.guid)
    // The list is the same for all callers of an audience. A caller who speaks in one match therefore sees that match
    // late here.
    const reader = { ...actor, guid: null }
    return { sessions: await readViews(db, sessions, { actor: reader, now, depends }) }
  },
})

const read = query({
  name: 'assistant.readSession',
  method: 'GET',
  path: ofMatchPath,
  scope: 'public',
  allow: anyone,
  summary: 'How a match is managed at the assistant: the open session, else the last one.',
  description:
    'It is null where there was none. Staff see all of it, a player their own entry, and everybody that a song is played, which one, and since when. While the flow of the match is shown late (`viewDelaySeconds`), whoever sees it late is told of no song.',
  reply: { 200: nullable(AssistantSessionView) },
  problems: { 'match.ambiguous': 409 },
  audience: sessionAudience,
  beside: async ({ db, records: { match } }) => {
    const [assistantSession, flowSession] = await Promise.all([
      findOfMatch(db, match.guid),
      findCurrentOfMatch(db, match.guid),
    ])
    return {
      ...(assistantSession === undefined ? {} : { assistantSession }),
      ...(flowSession === undefined ? {} : { flowSession }),
    }
  },
  live: {
    about: 'match',
    sends: ['assistant.song_started', 'assistant.song_finished', 'assistant.play_aborted'],
  },
  run: async ({ db, actor, match, tournament, now, depends }) => {
    depends(match.guid, tournament.guid)
    const session = await findOfMatch(db, match.guid)
    return session === undefined ? null : readView(db, session, { actor, now, depends })
  },
})

const open = command({
  name: 'assistant.open',
  method: 'POST',
  path: ofMatchPath,
  scope: 'assistant',
  socket: true,
  allow: operators,
  summary: 'Manage a match at the assistant: open its session, and take control of it.',
  description:
    'One process connects to the assistant for it, finds the match there or makes it, and goes on whatever becomes of this connection. An open session is answered as it is. A song that an earlier session has left is taken up: its results are waited for.',
  reply: { 201: AssistantSessionView, 200: AssistantSessionView },
  problems: {
    'match.ambiguous': 409,
    'assistant.not_linked': 409,
    'assistant.readonly': 409,
    'assistant.too_many_sessions': 409,
    'assistant.opened_meanwhile': 409,
    'tournament.cancelled': 409,
  },
  prepare: async ({ clients }) => clients.assistantSessions,
  run: async ({ tx, actor, tournament, match, prepared: holders, now }) => {
    checkNotCancelled(tournament)
    const { session, isNew } = await openSession(tx, actor, match, now)
    // A process that misses the hint finds the session at its next look.
    holders.look(session.guid)
    return new Answer(isNew ? 201 : 200, { body: await readView(tx, session, { actor, now }) })
  },
})

const close = command({
  name: 'assistant.close',
  method: 'DELETE',
  path: ofMatchPath,
  scope: 'assistant',
  socket: true,
  allow: operators,
  summary: 'Close the session of a match.',
  description:
    'By the operator who has control, or a manager of the link. While a song is played it is refused with `assistant.play_open`, which names the `play` and, as `inGame`, the GUIDs of those who are still in the game. With `force` it is closed all the same, and what is known of the song is proposed; the song goes on in the headsets, and a session that is opened for the match again takes it up.',
  query: Type.Object(CloseQuery),
  body: CloseBody,
  bodyOptional: true,
  reply: { 204: nullable(Type.String()) },
  problems: {
    'match.ambiguous': 409,
    'assistant.closed': 409,
    'assistant.not_controller': 409,
    'assistant.play_open': 409,
  },
  prepare: async ({ clients }) => clients.assistantSessions,
  run: async ({ tx, actor, match, query: given, body, prepared: holders, now }) => {
    const session = await lockOpenOfMatch(tx, match.guid)
    if (session === undefined) throw sessionClosed()
    const closing = {
      deleteMatch: body?.deleteMatch ?? given.deleteMatch ?? false,
      force: body?.force ?? given.force ?? false,
    }
    await closeSession(tx, actor, session.guid, closing, now)
    holders.look(session.guid)
    return new Answer(204)
  },
})

const doControl = command({
  name: 'assistant.control',
  method: 'POST',
  path: `${ofMatchPath}/control`,
  scope: 'assistant',
  socket: true,
  allow: operators,
  summary: 'Take control of a session, renew it every ten seconds, release it, or take it over with a reason.',
  description:
    'Control lasts for 30 seconds. Only the operator who has it gives commands. It ends at once with the right to it: with the role, the account, and the sign-in or grant of the token by which it was taken or renewed last.',
  body: ControlBody,
  reply: { 200: AssistantSessionView },
  problems: {
    'match.ambiguous': 409,
    'assistant.closed': 409,
    'assistant.not_controller': 409,
    'assistant.reason_missing': 400,
  },
  run: async ({ tx, actor, match, body: { action, reason = null }, now }) => {
    const session = await lockOpenOfMatch(tx, match.guid)
    if (session === undefined) throw sessionClosed()
    const changed = await control(tx, actor, session, { action, reason }, now)
    return readView(tx, changed, { actor, now })
  },
})

export const sessionsOperations = [list, read, open, close, doControl]
