import type { Row } from '../../../../engine/flows/rows.ts'
import type { SessionRecord } from '../types.ts'

/**
 * The event's form of a row: what everybody may see of it immediately. Secret choices have no map. Rows of delayed
 * sessions have only their position. (match-flows: Spectators, and who can still qualify)
 */
export function loggedRow({ viewDelaySeconds }: SessionRecord, row: Row) {
  const { position, kind, step, seat, onBehalf, map } = row
  if (viewDelaySeconds > 0) return { withheld: position }
  const isSecret = 'secret' in row.data && row.data.secret === true
  return { position, kind, step, seat, onBehalf, ...(isSecret ? {} : { map }) }
}
