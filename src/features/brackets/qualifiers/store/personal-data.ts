import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'
import { deleteUnmatched } from './sync.ts'

/**
 * How a user did in qualifiers. These are results, which know them by their GUID and stay; what boards from elsewhere told
 * of them, and is nobody's result, goes.
 */
export const qualifiersPersonalData = declarePersonalData({
  sections: {
    qualifierAttempts: rowsOf(attempts, 'userGuid', {
      join: [qualifiers, eq(qualifiers.guid, attempts.qualifierGuid)],
      shows: [
        ...[pick(qualifiers, 'tournamentGuid'), 'mapGuid', 'teamGuid', 'score', 'accuracy', 'misses', 'badCuts'],
        ...['maxCombo', 'fullCombo', 'completion', 'source', 'externalId', 'playedAt', 'voidedAt', 'voidReason'],
      ] as const,
    }),
  },
  forget: [forgetUnmatched, forgetAccounts],
})

interface Player {
  readonly guid: string
  readonly chatPlatformId: string
}

async function forgetUnmatched(tx: Tx, { guid, chatPlatformId }: Player): Promise<void> {
  await deleteUnmatched(tx, guid, [guid, chatPlatformId])
}

/** Ids of what an assistant told name the account on a ranking platform; they go on to name the user. (AS22; D35) */
async function forgetAccounts(tx: Tx, { guid }: Player): Promise<void> {
  await tx.session.orm
    .update(attempts)
    .set({
      externalId: sql`regexp_replace(${attempts.externalId}, '^([^:]+:[^:]+:)[^:]+(:[^:]+)$', '\\1' || ${guid}::text || '\\2')`,
    })
    .where(and(eq(attempts.userGuid, guid), eq(attempts.source, 'assistant'), isNotNull(attempts.externalId)))
}
