import type { Row } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { loggedRow } from '../rules/telling.ts'
import { findPoolStanding } from '../store/sessions.ts'
import type { SessionRecord } from '../types.ts'

/**
 * One event for each row, which touches the session and its match.
 * @param isOpen as `isForEverybody` tells
 */
export function tellRows(tx: Tx, record: SessionRecord, rows: readonly Row[], isOpen: boolean): void {
  for (const row of rows) {
    emit(tx, {
      type: 'flow.row',
      subject: record.guid,
      tournament: record.tournamentGuid,
      actor: row.by,
      after: isOpen ? loggedRow(record, row) : { withheld: row.position },
      touches: record.matchGuid === null ? [] : [record.matchGuid],
    })
  }
}

/** A free session may be played of a pool that is still a draft, whose maps are for those who may read that. */
export async function isForEverybody(tx: Tx, { guid, matchGuid, poolGuid }: SessionRecord): Promise<boolean> {
  if (matchGuid !== null || poolGuid === null) return true
  return (await findPoolStanding(tx, guid))?.isOpen === true
}
