import type { Row } from '../../../../engine/flows/rows.ts'
import type { SessionRecord } from '../types.ts'

/**
 * What the event of a row tells: what everybody may see of it at once. Secret choices leave their maps out, and rows that
 * outsiders see later say their position alone. (match-flows: Spectators, and who can still qualify)
 */
export function loggedRow({ viewDelaySeconds }: SessionRecord, row: Row) {
  const { position, kind, step, seat, onBehalf, map } = row
  if (viewDelaySeconds > 0) return { withheld: position }
  const isSecret = 'secret' in row.data && row.data.secret === true
  return { position, kind, step, seat, onBehalf, ...(isSecret ? {} : { map }) }
}
