import { and, eq, gt, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { eventLog } from '../../../../infra/events/tables.ts'
import { overlays } from '../../overlays/tables.ts'
import type { Advancing } from '../rules.ts'
import { overlayControls } from '../tables.ts'

const now = sql`local_clock()`

const columns = {
  overlayGuid: overlayControls.overlayGuid,
  tournamentGuid: overlays.tournamentGuid,
  scene: overlayControls.scene,
  matchGuid: overlayControls.matchGuid,
  autoAdvance: overlayControls.autoAdvance,
  autoDelayMs: overlayControls.autoDelayMs,
  pointedSeq: overlayControls.pointedSeq,
  sceneSeq: overlayControls.sceneSeq,
  advanceTo: overlayControls.advanceTo,
  isDue: sql<boolean>`coalesce(${overlayControls.advanceAt} <= ${now}, false)`,
}

const pointing = statement('overlay_controls.pointing', (orm) =>
  orm
    .select(columns)
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(
      sql`${overlayControls.overlayGuid} in (
        select c.overlay_guid from ${overlayControls} c where c.match_guid = any(${sql.placeholder('matches')}::uuid[])
        union select o.guid from ${overlays} o where o.tournament_guid = any(${sql.placeholder('tournaments')}::uuid[]))`,
    )
    .orderBy(overlayControls.overlayGuid)
    .for('update', { of: overlayControls }),
)

/**
 * Locks the overlays that point at one of these matches, and all overlays of these tournaments. The order is fixed, so
 * that transactions that lock several do not deadlock.
 */
export function lockPointing(
  tx: Tx,
  { matches, tournaments }: { readonly matches: readonly string[]; readonly tournaments: readonly string[] },
): Promise<Advancing[]> {
  return pointing(tx, { matches, tournaments })
}

const one = statement('overlay_controls.lock_advancing', (orm) =>
  orm
    .select(columns)
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(eq(overlayControls.overlayGuid, sql.placeholder('overlay')))
    .for('update', { of: overlayControls }),
)

export async function lockAdvancing(tx: Tx, overlay: string): Promise<Advancing | undefined> {
  return (await one(tx, { overlay }))[0]
}

const chosen = statement('overlay_controls.chosen_since', (orm) =>
  orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .where(
      and(
        eq(eventLog.tournament, sql.placeholder('tournament')),
        gt(eventLog.seq, sql.placeholder('seq')),
        eq(eventLog.subject, sql.placeholder('overlay')),
        sql`(${eventLog.type} = 'overlay.pointed' or ${eventLog.type} = 'overlay.control_changed'
          and ${eventLog.actor} is not null and ${eventLog.after} ? 'scene')`,
      ),
    )
    .limit(1),
)

/**
 * Whether a user has pointed the overlay or chosen a scene since an event. Call under the lock. The check is needed
 * because `pointedSeq` and `sceneSeq` contain the number of the last event before the user's own one, and the given
 * event may be between the two.
 */
export async function isChosenSince(tx: Tx, { overlayGuid, tournamentGuid }: Advancing, seq: number): Promise<boolean> {
  return (await chosen(tx, { overlay: overlayGuid, tournament: tournamentGuid, seq })).length > 0
}

/** The scene that is shown next, and the delay. */
export interface Next {
  /** ID of a scene. */
  readonly to: string
  readonly inMs: number
}

/**
 * @param scene the scene that is shown from now on; undefined if the shown one stays
 * @param next null for none
 */
export async function writeAdvance(tx: Tx, overlay: string, scene: string | undefined, next: Next | null) {
  const shown = { scene, revision: sql`${overlayControls.revision} + 1`, updatedAt: sql`local_now()`, updatedBy: null }
  await tx.session.orm
    .update(overlayControls)
    .set({
      ...(scene === undefined ? {} : shown),
      advanceTo: next?.to ?? null,
      advanceAt: next === null ? null : sql`${now} + ${next.inMs} * interval '1 ms'`,
    })
    .where(eq(overlayControls.overlayGuid, overlay))
}

/** Maximum number of overlays of one query. If there are more, the next query follows immediately. */
const atOnce = 64

const waiting = sql`${overlayControls} c join ${overlays} o on o.guid = c.overlay_guid and runs_here(o.tournament_guid)`

const due = statement('overlay_controls.due', (orm) =>
  orm
    .select({
      overlays: sql<string[]>`array(select c.overlay_guid from ${waiting} where c.advance_at <= clock.now
        order by c.advance_at limit ${sql.raw(String(atOnce))})`,
      nextMs: sql<number | null>`(extract(epoch from (
        select min(c.advance_at) from ${waiting} where c.advance_at > clock.now) - clock.now) * 1000)::float8`,
    })
    .from(sql`(select local_clock() as now offset 0) clock`),
)

/** Returns the overlays whose next scene is due by the clock of the database, and the time until the next one. */
export async function findDueAdvances(
  db: Db,
): Promise<{ readonly overlays: readonly string[]; readonly nextMs: number | null }> {
  const [row] = await due(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.overlays.length === atOnce ? { ...row, nextMs: 0 } : row
}

const pointed = statement('overlay_controls.pointed', (orm) =>
  orm
    .select({ match: overlayControls.matchGuid })
    .from(overlayControls)
    .where(eq(overlayControls.overlayGuid, sql.placeholder('overlay'))),
)

/** Returns the GUID of the match that an overlay points at. */
export async function findPointed(db: Db, overlay: string): Promise<string | null> {
  return (await pointed(db, { overlay }))[0]?.match ?? null
}
