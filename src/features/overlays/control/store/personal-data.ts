import { and, desc, eq, inArray, or, type Placeholder, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { media, mediaUsages } from '../../../../infra/media/tables.ts'
import { overlays } from '../../overlays/tables.ts'
import { overlayControls } from '../tables.ts'

/** Overlays that name the user as a caster, and overlays that the user changed last. */

const isCaster = (userGuid: string) => names(JSON.stringify([{ userGuid }]))
const names = (caster: string | Placeholder) => sql`${overlayControls.casters} @> ${caster}::jsonb`

const castingOf = statement('control.casting_of', (orm) =>
  orm
    .select({
      overlayGuid: overlayControls.overlayGuid,
      tournamentGuid: overlays.tournamentGuid,
      casters: overlayControls.casters,
      updatedAt: overlayControls.updatedAt,
      hasChangedLast: sql<boolean>`${overlayControls.updatedBy} is not distinct from ${sql.placeholder('user')}::uuid`,
    })
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(or(eq(overlayControls.updatedBy, sql.placeholder('user')), names(sql.placeholder('caster'))))
    .orderBy(desc(overlayControls.updatedAt), desc(overlayControls.overlayGuid))
    .limit(sql.placeholder('limit')),
)

export async function listCastingOf(db: Db, user: string, limit: number) {
  const rows = await castingOf(db, { user, caster: JSON.stringify([{ userGuid: user }]), limit })
  return rows.map(({ casters, ...row }) => ({ ...row, casters: casters.filter(({ userGuid }) => userGuid === user) }))
}

/** Locks the overlays that name the user as a caster or show the user's picture, in the usual order of locks. */
export async function lockShowing(tx: Tx, userGuid: string): Promise<void> {
  const { orm } = tx.session
  const casting = orm.select({ guid: overlayControls.overlayGuid }).from(overlayControls).where(isCaster(userGuid))
  const showing = orm
    .select({ guid: mediaUsages.subjectGuid })
    .from(mediaUsages)
    .innerJoin(media, eq(media.guid, mediaUsages.mediaGuid))
    .where(and(eq(media.ownerGuid, userGuid), eq(mediaUsages.subject, 'overlay'), eq(mediaUsages.field, 'casters')))
  await orm
    .select({ guid: overlayControls.overlayGuid })
    .from(overlayControls)
    .where(inArray(overlayControls.overlayGuid, union(casting, showing)))
    .orderBy(overlayControls.overlayGuid)
    .for('update')
}

/** Locks the overlays that name the user as a caster, in the usual order of locks. */
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
