import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { changeRows, declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { assistantFinishes, assistantPlays, gameProposals } from '../tables.ts'

/**
 * A user's plays, and their decisions about proposals. Results stay, and name the user by GUID. The list of installed
 * mods and the platform account by which the user was found are deleted.
 */
export const proposalsPersonalData = declarePersonalData({
  sections: {
    assistantFinishes: rowsOf(assistantFinishes, 'userGuid', {
      join: [assistantPlays, eq(assistantPlays.guid, assistantFinishes.playGuid)],
      shows: [
        ...[pick(assistantPlays, 'tournamentGuid', 'matchGuid'), 'playGuid', pick(assistantPlays, 'map')],
        ...['side', 'score', 'maxScore', 'accuracy', 'misses', 'badCuts', 'goodCuts', 'maxCombo', 'completion'],
        ...['endTime', 'mods', 'warnings', 'receivedAt'],
      ] as const,
      order: ['receivedAt', 'playGuid'],
    }),
    gameProposalsDecided: rowsOf(gameProposals, 'decidedBy', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'game', 'run', 'status', 'reason', 'decidedAt'],
      order: ['decidedAt', 'guid'],
    }),
  },
  forget: [changeRows(assistantFinishes, 'userGuid', { mods: [] }), forgetAccounts],
})

async function forgetAccounts(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm
    .update(assistantPlays)
    .set({
      expected: sql`(select jsonb_agg(case when e ->> 'userGuid' = ${guid} then e || '{"platformId": null}' else e end
        order by n) from jsonb_array_elements(${assistantPlays.expected}) with ordinality as p (e, n))`,
    })
    .where(sql`${assistantPlays.expected} @> ${JSON.stringify([{ userGuid: guid }])}::jsonb`)
}
