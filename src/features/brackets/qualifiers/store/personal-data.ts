import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'
import { deleteUnmatched } from './sync.ts'

/**
 * A user's attempts in qualifiers. Attempts are results: they stay, and name the user by GUID. Scores that outside
 * leaderboards gave and that are no result are deleted.
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

/** Report ids of an assistant contain the account on a ranking platform; it is replaced by the user's GUID. (AS22; D35) */
async function forgetAccounts(tx: Tx, { guid }: Player): Promise<void> {
  await tx.session.orm
    .update(attempts)
    .set({
      externalId: sql`regexp_replace(${attempts.externalId}, '^([^:]+:[^:]+:)[^:]+(:[^:]+)$', '\\1' || ${guid}::text || '\\2')`,
    })
    .where(and(eq(attempts.userGuid, guid), eq(attempts.source, 'assistant'), isNotNull(attempts.externalId)))
}
