import type { Row } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type HiddenNoun, resultsTag } from '../events.ts'
import { loggedRow } from '../rules/telling.ts'
import type { SessionRecord } from '../types.ts'

/**
 * What the event log is told of sessions: each event touches the session and its match, and of one that is over, or was, what is
 * made of all that are. Those that are not for everybody have events of their own, so that nobody learns of them who may not.
 * (match-flows: FFA)
 */

type Told = Pick<SessionRecord, 'guid' | 'tournamentGuid' | 'matchGuid' | 'isPublic' | 'status'>

/** A session, and whether its pool is open, as `isForEverybody` tells. */
interface Telling {
  readonly record: Told
  readonly isOpen: boolean
}

function common({ guid, tournamentGuid, matchGuid, status }: Told, wasOver = false) {
  const ofMatch = matchGuid === null ? [] : [matchGuid]
  const ofResults = matchGuid !== null && (wasOver || status === 'over') ? [resultsTag(tournamentGuid)] : []
  return { subject: guid, tournament: tournamentGuid, touches: [...ofMatch, ...ofResults] }
}

/** How its events are named; null for a session that is for everybody. */
function hiddenNoun({ record, isOpen }: Telling): HiddenNoun | null {
  if (!isOpen) return 'draft_session'
  return record.isPublic ? null : 'private_session'
}

export function tellBegun(tx: Tx, told: Telling, actor: string): void {
  const { record } = told
  const [noun, event] = [hiddenNoun(told), { ...common(record), actor, rights: true as const }]
  if (noun === null) emit(tx, { ...event, type: 'flow.begun', after: { match: record.matchGuid } })
  else emit(tx, { ...event, type: `${noun}.begun` })
}

/** A session whose log has become longer. */
interface Lengthened extends Telling {
  readonly record: SessionRecord
  /** As it was without the rows; undefined where they are its first. */
  readonly before?: SessionRecord
}

/** One event for each row. */
export function tellRows(tx: Tx, told: Lengthened, rows: readonly Row[]): void {
  const { record } = told
  const noun = hiddenNoun(told)
  const base = common(record, told.before?.status === 'over')
  for (const row of rows) {
    const { by: actor, position } = row
    if (noun === null) emit(tx, { ...base, type: 'flow.row', actor, after: loggedRow(record, row) })
    else emit(tx, { ...base, type: `${noun}.changed`, actor, after: { position } })
  }
}

function tellChanged(tx: Tx, record: Told, noun: HiddenNoun, position: number, actor: string | null): void {
  emit(tx, { ...common(record), type: `${noun}.changed`, actor, after: { position } })
}

/** Outsiders see more of a session that is shown late. */
export function tellShown(tx: Tx, told: Telling, position: number): void {
  const noun = hiddenNoun(told)
  if (noun === null) emit(tx, { ...common(told.record), type: 'flow.shown', actor: null, after: { position } })
  else tellChanged(tx, told.record, noun, position, null)
}

/** The time of the clock that began with this row is over. */
export function tellOverdue(tx: Tx, told: Telling, clock: number): void {
  const noun = hiddenNoun(told)
  if (noun === null) emit(tx, { ...common(told.record), type: 'flow.overdue', actor: null, after: { clock } })
  else tellChanged(tx, told.record, noun, clock, null)
}

/** Whoever speaks sees more than others do, and is asked for anew. */
export function tellSpeakers(tx: Tx, told: Telling, actor: string | null): void {
  emit(tx, { ...common(told.record), type: `${hiddenNoun(told) ?? 'flow'}.speakers_changed`, actor, rights: true })
}

/** Those that are deleted were not public. */
export function tellDeleted(tx: Tx, told: Telling): void {
  emit(tx, {
    ...common(told.record),
    type: `${told.isOpen ? 'private' : 'draft'}_session.deleted`,
    actor: null,
    rights: true,
  })
}
