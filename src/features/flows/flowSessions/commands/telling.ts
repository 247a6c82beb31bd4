import type { Row } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { loggedRow } from '../rules/telling.ts'
import type { SessionRecord } from '../types.ts'

/** One event for each row, which touches the session and its match. */
export function tellRows(tx: Tx, record: SessionRecord, rows: readonly Row[]): void {
  for (const row of rows) {
    emit(tx, {
      type: 'flow.row',
      subject: record.guid,
      tournament: record.tournamentGuid,
      actor: row.by,
      after: loggedRow(record, row),
      touches: record.matchGuid === null ? [] : [record.matchGuid],
    })
  }
}
