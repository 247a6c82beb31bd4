import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { overlays } from '../../overlays/tables.ts'
import { overlayControls } from '../tables.ts'

/** Overlays that name somebody as a caster, and those that they changed last. */

const isCaster = (userGuid: string) => sql`${overlayControls.casters} @> ${JSON.stringify([{ userGuid }])}::jsonb`

export async function listCastingOf(db: Db, userGuid: string, limit: number) {
  const rows = await db.session.orm
    .select({
      overlayGuid: overlayControls.overlayGuid,
      tournamentGuid: overlays.tournamentGuid,
      casters: overlayControls.casters,
      updatedAt: overlayControls.updatedAt,
      hasChangedLast: sql<boolean>`${overlayControls.updatedBy} is not distinct from ${userGuid}::uuid`,
    })
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(sql`${overlayControls.updatedBy} = ${userGuid}::uuid or ${isCaster(userGuid)}`)
    .orderBy(desc(overlayControls.updatedAt), desc(overlayControls.overlayGuid))
    .limit(limit)
  return rows.map(({ casters, ...row }) => ({ ...row, casters: casters.filter((each) => each.userGuid === userGuid) }))
}

/** Locks the overlays that name somebody as a caster, in the order in which that is done. */
export async function lockCastingOf(
  tx: Tx,
  userGuid: string,
): Promise<{ readonly overlayGuid: string; readonly tournamentGuid: string }[]> {
  return tx.session.orm
    .select({ overlayGuid: overlayControls.overlayGuid, tournamentGuid: overlays.tournamentGuid })
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(isCaster(userGuid))
    .orderBy(overlayControls.overlayGuid)
    .for('update', { of: overlayControls })
}
