import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'
import { deleteUnmatched } from './sync.ts'

/**
 * How a user did in qualifiers. These are results, which know them by their GUID and stay; what boards from elsewhere told
 * of them, and is nobody's result, goes.
 */
export const qualifiersPersonalData = {
  sections: { qualifierAttempts: listAttemptsOf },
  forget: (tx: Tx, { guid, chatPlatformId }: { readonly guid: string; readonly chatPlatformId: string }) =>
    deleteUnmatched(tx, guid, [guid, chatPlatformId]),
}

async function listAttemptsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: qualifiers.tournamentGuid,
      mapGuid: attempts.mapGuid,
      teamGuid: attempts.teamGuid,
      score: attempts.score,
      accuracy: attempts.accuracy,
      misses: attempts.misses,
      badCuts: attempts.badCuts,
      maxCombo: attempts.maxCombo,
      fullCombo: attempts.fullCombo,
      completion: attempts.completion,
      source: attempts.source,
      externalId: attempts.externalId,
      playedAt: attempts.playedAt,
      voidedAt: attempts.voidedAt,
      voidReason: attempts.voidReason,
    })
    .from(attempts)
    .innerJoin(qualifiers, eq(qualifiers.guid, attempts.qualifierGuid))
    .where(eq(attempts.userGuid, userGuid))
    .orderBy(desc(attempts.createdAt), desc(attempts.guid))
    .limit(limit)
}
