import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantFinishes, assistantPlays, gameProposals } from '../tables.ts'

/**
 * What users played and decided. Results know them by their GUID and stay; what was installed in their game, and by which
 * account of a platform they were found, goes.
 */
export const proposalsPersonalData = {
  sections: { assistantFinishes: listFinishesOf, gameProposalsDecided: listDecidedBy },
  forget: forgetPlayer,
}

async function listFinishesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: assistantPlays.tournamentGuid,
      matchGuid: assistantPlays.matchGuid,
      playGuid: assistantFinishes.playGuid,
      map: assistantPlays.map,
      side: assistantFinishes.side,
      score: assistantFinishes.score,
      maxScore: assistantFinishes.maxScore,
      accuracy: assistantFinishes.accuracy,
      misses: assistantFinishes.misses,
      badCuts: assistantFinishes.badCuts,
      goodCuts: assistantFinishes.goodCuts,
      maxCombo: assistantFinishes.maxCombo,
      completion: assistantFinishes.completion,
      endTime: assistantFinishes.endTime,
      mods: assistantFinishes.mods,
      warnings: assistantFinishes.warnings,
      receivedAt: assistantFinishes.receivedAt,
    })
    .from(assistantFinishes)
    .innerJoin(assistantPlays, eq(assistantPlays.guid, assistantFinishes.playGuid))
    .where(eq(assistantFinishes.userGuid, userGuid))
    .orderBy(desc(assistantFinishes.receivedAt), desc(assistantFinishes.playGuid))
    .limit(limit)
}

async function listDecidedBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: gameProposals.guid,
      tournamentGuid: gameProposals.tournamentGuid,
      matchGuid: gameProposals.matchGuid,
      game: gameProposals.game,
      run: gameProposals.run,
      status: gameProposals.status,
      reason: gameProposals.reason,
      decidedAt: gameProposals.decidedAt,
    })
    .from(gameProposals)
    .where(eq(gameProposals.decidedBy, userGuid))
    .orderBy(desc(gameProposals.decidedAt), desc(gameProposals.guid))
    .limit(limit)
}

async function forgetPlayer(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.update(assistantFinishes).set({ mods: [] }).where(eq(assistantFinishes.userGuid, guid))
  await tx.session.orm
    .update(assistantPlays)
    .set({
      expected: sql`(select jsonb_agg(case when e ->> 'userGuid' = ${guid} then e || '{"platformId": null}' else e end
        order by n) from jsonb_array_elements(${assistantPlays.expected}) with ordinality as p (e, n))`,
    })
    .where(sql`${assistantPlays.expected} @> ${JSON.stringify([{ userGuid: guid }])}::jsonb`)
}
