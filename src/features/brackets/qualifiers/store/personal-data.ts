import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'
import { deleteUnmatched } from './sync.ts'

/**
 * How a user did in qualifiers. These are results, which know them by their GUID and stay; what boards from elsewhere told
 * of them, and is nobody's result, goes.
 */
export const qualifiersPersonalData = {
  sections: { qualifierAttempts: listAttemptsOf },
  async forget(tx: Tx, { guid, chatPlatformId }: { readonly guid: string; readonly chatPlatformId: string }) {
    await deleteUnmatched(tx, guid, [guid, chatPlatformId])
    await forgetAccounts(tx, guid)
  },
}

/** Ids of what an assistant told name the account on a ranking platform; they go on to name the user. (AS22; D35) */
async function forgetAccounts(tx: Tx, userGuid: string): Promise<void> {
  await tx.session.orm
    .update(attempts)
    .set({
      externalId: sql`regexp_replace(${attempts.externalId}, '^([^:]+:[^:]+:)[^:]+(:[^:]+)$', '\\1' || ${userGuid}::text || '\\2')`,
    })
    .where(and(eq(attempts.userGuid, userGuid), eq(attempts.source, 'assistant'), isNotNull(attempts.externalId)))
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
