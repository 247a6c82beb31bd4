import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { notLinked } from '../../assistantLinks/rules/links.ts'
import { keepLink } from '../../assistantLinks/store/links.ts'
import { controllerOf, controlUntil, notController } from '../rules/control.ts'
import { checkRoom } from '../rules/limits.ts'
import { countOpen, insertSession, lockOpenOfMatch, lockSession, updateSession } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'

/** What is done to a session itself, whoever holds it. */

const nothing = { players: [], others: [], map: null, warnings: [] } as const

export interface Opened {
  readonly session: AssistantSession
  readonly isNew: boolean
}

/**
 * Opens the session of a match and takes control of it; one that is open already is answered as it is, and taken where nobody has
 * control. One that has failed is tried again. (AS4, AS5)
 * @throws Problem `assistant.not_linked`, `assistant.readonly`, `assistant.too_many_sessions`
 */
export async function openSession(tx: Tx, actor: SignedIn, match: MatchRecord, now: Date): Promise<Opened> {
  const { tournamentGuid, guid: matchGuid } = match
  const link = await keepLink(tx, tournamentGuid)
  if (link === undefined || !link.enabled) throw notLinked()
  if (link.tokenKind === 'readonly') {
    throw conflict('assistant.readonly', 'The link of the tournament may only read; give it a token of another kind.')
  }
  const control = { controllerGuid: actor.guid, controllerSince: now, controllerUntil: controlUntil(now) }
  const open = await lockOpenOfMatch(tx, matchGuid)
  if (open === undefined) {
    checkRoom(await countOpen(tx, tournamentGuid))
    const given = { tournamentGuid, matchGuid, openedBy: actor.guid, openedAt: now, state: nothing, ...control }
    const session = await insertSession(tx, given)
    if (session === undefined)
      throw conflict('assistant.opened_meanwhile', 'Somebody has just opened the session; ask again.')
    const told = { subject: session.guid, tournament: tournamentGuid, actor: actor.guid, touches: [matchGuid] }
    emit(tx, { type: 'assistant.session_opened', ...told, after: { match: matchGuid } })
    return { session, isNew: true }
  }
  const isFree = controllerOf(open, now) === null
  const changes = {
    ...(isFree ? control : {}),
    ...(open.status === 'failed' ? { status: 'connecting' as const, lastError: null } : {}),
  }
  if (Object.keys(changes).length === 0) return { session: open, isNew: false }
  return { session: await change(tx, open, actor.guid, changes), isNew: false }
}

async function change(
  tx: Tx,
  { guid, tournamentGuid, matchGuid }: AssistantSession,
  actor: string,
  changes: Parameters<typeof updateSession>[2],
): Promise<AssistantSession> {
  const changed = await updateSession(tx, guid, changes)
  const told = { subject: guid, tournament: tournamentGuid, actor, touches: [matchGuid] }
  const { phase, status } = changed
  emit(tx, { type: 'assistant.session_updated', ...told, after: { match: matchGuid, phase, status } })
  return changed
}

export type ControlAction = 'take' | 'renew' | 'release' | 'takeover'

/**
 * Control is one operator's at a time. (AS5)
 * @throws Problem `assistant.not_controller`, `assistant.reason_missing`
 */
export async function control(
  tx: Tx,
  actor: SignedIn,
  session: AssistantSession,
  { action, reason }: { readonly action: ControlAction; readonly reason: string | null },
  now: Date,
): Promise<AssistantSession> {
  const held = controllerOf(session, now)
  const until = controlUntil(now)
  const { guid, tournamentGuid: tournament, matchGuid: match } = session
  switch (action) {
    case 'renew':
      if (held !== actor.guid) throw notController(held)
      // Nobody is told that it goes on as it was.
      return updateSession(tx, guid, { controllerUntil: until })
    case 'release':
      if (held !== actor.guid) throw notController(held)
      return change(tx, session, actor.guid, { controllerGuid: null, controllerSince: null, controllerUntil: null })
    case 'take':
      if (held !== null && held !== actor.guid) throw notController(held)
      if (held === actor.guid) return updateSession(tx, guid, { controllerUntil: until })
      return change(tx, session, actor.guid, {
        controllerGuid: actor.guid,
        controllerSince: now,
        controllerUntil: until,
      })
    case 'takeover': {
      if (reason === null) throw invalid('assistant.reason_missing', 'Say in `reason` why you take control over.')
      const taken = await updateSession(tx, guid, {
        ...{ controllerGuid: actor.guid, controllerSince: now, controllerUntil: until },
      })
      const told = { subject: guid, tournament, actor: actor.guid, touches: [match] }
      const after = { match, controller: actor.guid, reason }
      emit(tx, { type: 'assistant.control_taken', ...told, before: { controller: held }, after })
      return taken
    }
  }
}

/**
 * Closes a session; its holder leaves the assistant, and has its match there deleted where that is asked for and it is ours.
 * @throws Problem `assistant.not_controller`, `assistant.closed`
 */
export async function closeSession(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { deleteMatch }: { readonly deleteMatch: boolean },
  now: Date,
): Promise<AssistantSession> {
  const session = await lockSession(tx, guid)
  if (session === undefined || session.closedAt !== null) throw sessionClosed()
  const held = controllerOf(session, now)
  if (held !== actor.guid && !isOrganiser(actor)) throw notController(held)
  return endSession(tx, session, { reason: 'closed', actor: actor.guid, deleteMatch, now })
}

export async function endSession(
  tx: Tx,
  { guid, tournamentGuid, matchGuid, state }: AssistantSession,
  given: { readonly reason: string; readonly actor: string | null; readonly deleteMatch: boolean; readonly now: Date },
): Promise<AssistantSession> {
  const { reason, actor, deleteMatch, now } = given
  const ended = await updateSession(tx, guid, {
    ...{ status: 'closed', closedAt: now, closeReason: reason, deleteMatch },
    // By which accounts players were found is nobody's business any more.
    state: { ...state, others: [], players: state.players.map((player) => ({ ...player, platformId: null })) },
    ...{ controllerGuid: null, controllerSince: null, controllerUntil: null },
  })
  const told = { subject: guid, tournament: tournamentGuid, actor, touches: [matchGuid] }
  emit(tx, { type: 'assistant.session_closed', ...told, after: { match: matchGuid, reason } })
  return ended
}

export function sessionClosed() {
  return conflict('assistant.closed', 'The match has no open session; open one first.')
}
