import type { Row } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { loggedRow } from '../rules/telling.ts'
import type { SessionRecord } from '../types.ts'

/**
 * What the event log is told of sessions: each event touches the session and its match. One that is not public has events of its
 * own, so that nobody learns of it who may not. (match-flows: FFA)
 */

type Told = Pick<SessionRecord, 'guid' | 'tournamentGuid' | 'matchGuid' | 'isPublic'>

function common({ guid, tournamentGuid, matchGuid }: Told) {
  return { subject: guid, tournament: tournamentGuid, touches: matchGuid === null ? [] : [matchGuid] }
}

export function tellBegun(tx: Tx, record: Told, actor: string): void {
  const event = { ...common(record), actor, rights: true as const }
  if (record.isPublic) emit(tx, { ...event, type: 'flow.begun', after: { match: record.matchGuid } })
  else emit(tx, { ...event, type: 'private_session.begun' })
}

/**
 * One event for each row.
 * @param isOpen as `isForEverybody` tells
 */
export function tellRows(tx: Tx, record: SessionRecord, rows: readonly Row[], isOpen: boolean): void {
  for (const row of rows) {
    const { by: actor, position } = row
    const after = isOpen ? loggedRow(record, row) : { withheld: position }
    if (record.isPublic) emit(tx, { ...common(record), type: 'flow.row', actor, after })
    else tellChanged(tx, record, position, actor)
  }
}

function tellChanged(tx: Tx, record: Told, position: number, actor: string | null): void {
  emit(tx, { ...common(record), type: 'private_session.changed', actor, after: { position } })
}

/** Outsiders see more of a session that is shown late. */
export function tellShown(tx: Tx, record: Told, position: number): void {
  if (record.isPublic) emit(tx, { ...common(record), type: 'flow.shown', actor: null, after: { position } })
  else tellChanged(tx, record, position, null)
}

/** The time of the clock that began with this row is over. */
export function tellOverdue(tx: Tx, record: Told, clock: number): void {
  if (record.isPublic) emit(tx, { ...common(record), type: 'flow.overdue', actor: null, after: { clock } })
  else tellChanged(tx, record, clock, null)
}

/** Whoever speaks sees more than others do, and is asked for anew. */
export function tellSpeakers(tx: Tx, record: Told, actor: string | null): void {
  const type = record.isPublic ? 'flow.speakers_changed' : 'private_session.speakers_changed'
  emit(tx, { ...common(record), type, actor, rights: true })
}

/** Those that are deleted were not public. */
export function tellDeleted(tx: Tx, record: Told): void {
  emit(tx, { ...common(record), type: 'private_session.deleted', actor: null, rights: true })
}
