import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { isMatchShownLate } from '../../../flows/flowSessions/store/sessions.ts'
import { beginPlay, saveFinish, setPlayState } from '../../proposals/commands/plays.ts'
import { propose } from '../../proposals/commands/proposing.ts'
import type { Play } from '../../proposals/types.ts'
import { controllerOf, notController } from '../rules/control.ts'
import type { Effect, Failure } from '../rules/machine.ts'
import { answerCommand, markTaken, type StoredCommand } from '../store/commands.ts'
import { isCancelled, isStillController } from '../store/operators.ts'
import { lockSession, type SessionChanges, updateSession } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'

/** The writes of the process that holds a session, each in its own transaction. */

export type Taken = { readonly isTaken: true } | { readonly isTaken: false; readonly failure: Failure | null }

/**
 * Takes a command if its sender still has control and is still an operator. The session is locked, so a takeover
 * happens either before or after it. (AS5)
 */
export async function takeCommand(tx: Tx, command: StoredCommand, now: Date): Promise<Taken> {
  const session = await lockSession(tx, command.sessionGuid)
  if (session === undefined || session.closedAt !== null) return refuse(tx, command, closed)
  if (await isCancelled(tx, session.tournamentGuid)) return refuse(tx, command, cancelled)
  const controller = controllerOf(session, now)
  if (controller !== command.userGuid) {
    const { code, message, data } = notController(controller)
    return refuse(tx, command, { code, message, ...(data === undefined ? {} : { data }) })
  }
  if (!(await isStillController(tx, session))) return refuse(tx, command, lostControl)
  return (await markTaken(tx, command.guid)) ? { isTaken: true } : { isTaken: false, failure: null }
}

const closed: Failure = { code: 'assistant.closed', message: 'The session is closed.' }
const cancelled: Failure = { code: 'tournament.cancelled', message: 'The tournament was cancelled.' }
const lostControl: Failure = {
  code: 'assistant.not_controller',
  message: 'Your control of the session has ended with the right to it.',
}

async function refuse(tx: Tx, { guid }: StoredCommand, failure: Failure): Promise<Taken> {
  await answerCommand(tx, guid, { failure })
  return { isTaken: false, failure }
}

export async function giveAnswer(tx: Tx, command: string, failure: Failure | null): Promise<void> {
  await answerCommand(tx, command, { failure })
}

/** Saves the present state of a session, as staff see it. */
export async function saveSession(
  tx: Tx,
  session: AssistantSession,
  changes: SessionChanges,
): Promise<AssistantSession> {
  const saved = await updateSession(tx, session.guid, changes)
  emit(tx, {
    type: 'assistant.session_updated',
    subject: session.guid,
    tournament: session.tournamentGuid,
    actor: null,
    after: { match: session.matchGuid, phase: saved.phase, status: saved.status },
    touches: [session.matchGuid],
  })
  return saved
}

export type PlayFacts = Omit<Parameters<typeof beginPlay>[1], 'now'>

export async function savePlay(tx: Tx, play: PlayFacts, now: Date): Promise<Play> {
  return beginPlay(tx, { ...play, now })
}

export async function savePlayState(
  tx: Tx,
  session: AssistantSession,
  { play: guid, state }: Effect & { readonly type: 'playState' },
  now: Date,
): Promise<void> {
  const play = await setPlayState(tx, guid, state, now)
  if (play === undefined || (state !== 'started' && state !== 'aborted')) return
  const { hash, difficulty } = play.map
  const { matchGuid: match } = session
  const isLate = await isMatchShownLate(tx, match)
  emit(tx, {
    type: state === 'started' ? 'assistant.song_started' : 'assistant.play_aborted',
    subject: session.guid,
    tournament: session.tournamentGuid,
    actor: null,
    after: isLate ? { withheld: match, play: guid } : { match, play: guid, hash, difficulty },
    touches: [session.matchGuid],
  })
}

/** Emits that a song is played in a decided match, with the operator's reason. (D78) */
export function emitForced(
  tx: Tx,
  { guid: subject, tournamentGuid: tournament, matchGuid: match, controllerGuid }: AssistantSession,
  { play, reason }: { readonly play: string; readonly reason: string },
): void {
  const after = { match, play, reason }
  emit(tx, { type: 'assistant.play_forced', subject, tournament, actor: controllerGuid, after, touches: [match] })
}

/** Saves a result before it is shown, sent or used. (AS16) */
export async function saveReport(
  tx: Tx,
  { play, finish }: Effect & { readonly type: 'finish' },
  now: Date,
): Promise<void> {
  await saveFinish(tx, play, { ...finish, receivedAt: now }, now)
}

export async function saveProposal(
  tx: Tx,
  { play, isComplete, warnings }: Effect & { readonly type: 'propose' },
  now: Date,
): Promise<void> {
  await propose(tx, play, { warnings, isComplete, now })
}

export function emitWhatHappened(
  tx: Tx,
  session: AssistantSession,
  { what, detail }: Effect & { readonly type: 'happened' },
  actor: string | null,
): void {
  const { guid: subject, tournamentGuid: tournament, matchGuid: match } = session
  const common = { subject, tournament, actor, touches: [match] }
  switch (what) {
    case 'map_set':
      emit(tx, { type: 'assistant.map_set', ...common, after: { match, hash: detail ?? '' } })
      break
    case 'load_forced':
      emit(tx, { type: 'assistant.load_forced', ...common, after: { match, reason: detail ?? '' } })
      break
    case 'modified':
      emit(tx, { type: 'assistant.gameplay_modified', ...common, after: { match, modifier: detail ?? '' } })
      break
    case 'sync_failed':
      emit(tx, { type: 'assistant.sync_failed', ...common, after: { match } })
  }
}
