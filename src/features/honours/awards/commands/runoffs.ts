import type { Tx } from '../../../../infra/db/database.ts'
import type { Edition } from '../types.ts'

/** Has the tied nominees of categories voted for once more. Call it with the edition locked. (A9) */
export async function beginRunoff(_tx: Tx, _edition: Edition, _now: Date): Promise<void> {
  throw new Error('to be built')
}
