import type { Row } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type HiddenNoun, resultsTag } from '../events.ts'
import { loggedRow } from '../rules/logged-rows.ts'
import type { SessionRecord } from '../types.ts'

/**
 * Emits the events of sessions. Each event touches the session and its match; if the session is over, or was over
 * before, it also touches the results of all sessions. Sessions that not everybody may see have event types of their
 * own, so that other users learn nothing of them. (match-flows: FFA)
 */

type SessionFacts = Pick<SessionRecord, 'guid' | 'tournamentGuid' | 'matchGuid' | 'isPublic' | 'status'>

/** A session, and whether everybody may see its pool, as `isForEverybody` returns. */
interface EmittingSession {
  readonly record: SessionFacts
  readonly isOpen: boolean
}

function common({ guid, tournamentGuid, matchGuid, status }: SessionFacts, wasOver = false) {
  const ofMatch = matchGuid === null ? [] : [matchGuid]
  const ofResults = matchGuid !== null && (wasOver || status === 'over') ? [resultsTag(tournamentGuid)] : []
  return { subject: guid, tournament: tournamentGuid, touches: [...ofMatch, ...ofResults] }
}

/** The noun in the types of its events; null for a session that everybody may see. */
function hiddenNoun({ record, isOpen }: EmittingSession): HiddenNoun | null {
  if (!isOpen) return 'draft_session'
  return record.isPublic ? null : 'private_session'
}

export function emitBegun(tx: Tx, session: EmittingSession, actor: string): void {
  const { record } = session
  const [noun, event] = [hiddenNoun(session), { ...common(record), actor, rights: true as const }]
  if (noun === null) emit(tx, { ...event, type: 'flow.begun', after: { match: record.matchGuid } })
  else emit(tx, { ...event, type: `${noun}.begun` })
}

/** A session that got new rows. */
interface Lengthened extends EmittingSession {
  readonly record: SessionRecord
  /** The session before the rows were added; undefined if they are its first rows. */
  readonly before?: SessionRecord
}

/** Emits one event for each row. */
export function emitRows(tx: Tx, session: Lengthened, rows: readonly Row[]): void {
  const { record } = session
  const noun = hiddenNoun(session)
  const base = common(record, session.before?.status === 'over')
  for (const row of rows) {
    const { by: actor, position } = row
    if (noun === null) emit(tx, { ...base, type: 'flow.row', actor, after: loggedRow(record, row) })
    else emit(tx, { ...base, type: `${noun}.changed`, actor, after: { position } })
  }
}

function emitChanged(tx: Tx, record: SessionFacts, noun: HiddenNoun, position: number, actor: string | null): void {
  emit(tx, { ...common(record), type: `${noun}.changed`, actor, after: { position } })
}

/** Emitted when a row of a delayed session becomes visible to outsiders. */
export function emitShown(tx: Tx, session: EmittingSession, position: number): void {
  const noun = hiddenNoun(session)
  if (noun === null) emit(tx, { ...common(session.record), type: 'flow.shown', actor: null, after: { position } })
  else emitChanged(tx, session.record, noun, position, null)
}

/** Emitted when the time of the clock that this row began is over. */
export function emitOverdue(tx: Tx, session: EmittingSession, clock: number): void {
  const noun = hiddenNoun(session)
  if (noun === null) emit(tx, { ...common(session.record), type: 'flow.overdue', actor: null, after: { clock } })
  else emitChanged(tx, session.record, noun, clock, null)
}

/** Speakers see more than outsiders, so this event causes a new check of the subscribers' rights. */
export function emitSpeakers(tx: Tx, session: EmittingSession, actor: string | null): void {
  emit(tx, {
    ...common(session.record),
    type: `${hiddenNoun(session) ?? 'flow'}.speakers_changed`,
    actor,
    rights: true,
  })
}

/** Only sessions that are not public are deleted. */
export function emitDeleted(tx: Tx, session: EmittingSession): void {
  emit(tx, {
    ...common(session.record),
    type: `${session.isOpen ? 'private' : 'draft'}_session.deleted`,
    actor: null,
    rights: true,
  })
}
