import type { Tx } from '../../../../infra/db/database.ts'
import type { Edition } from '../types.ts'

/** Ends a round of voting: what is valid becomes ballots, and who voted stands on the roll. Call it with the edition locked. (A6) */
export async function closeVoting(_tx: Tx, _edition: Edition, _now: Date): Promise<void> {
  throw new Error('to be built')
}
