import type { Db } from '../../../../infra/db/database.ts'
import { testSecondsADay } from '../../streamKeys/rules.ts'
import { testSecondsToday } from '../../streamKeys/store/tests.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import { type Terms, termsOf } from '../rules/publishing.ts'
import { listClaims } from '../store/publishing.ts'

/** The terms on which the user may publish to the server now; null if they may not. */
export async function readTerms(
  db: Db,
  { assignmentRequired, control }: Pick<StreamServer, 'assignmentRequired' | 'control'>,
  userGuid: string,
  keyExpiresAt: Date | null,
  now: Date,
): Promise<Terms | null> {
  const [claims, tested] = await Promise.all([listClaims(db, userGuid), testSecondsToday(db, userGuid, now)])
  const testSecondsLeft = testSecondsADay - tested
  return termsOf({ claims, assignmentRequired, isWatched: control !== null, keyExpiresAt, testSecondsLeft }, now)
}
