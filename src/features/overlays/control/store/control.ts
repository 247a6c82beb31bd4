import { eq, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { eventLog } from '../../../../infra/events/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { overlayControls } from '../tables.ts'
import type { Control } from '../types.ts'

const {
  overlayGuid,
  scene,
  matchGuid,
  swapSides,
  mapCard,
  casters,
  flavour,
  countdownTo,
  blank,
  custom,
  autoAdvance,
  autoDelayMs,
  revision,
  updatedAt,
  updatedBy,
} = overlayControls

const columns = {
  overlayGuid,
  scene,
  matchGuid,
  swapSides,
  mapCard,
  casters,
  flavour,
  countdownTo,
  blank,
  custom,
  autoAdvance,
  autoDelayMs,
  revision,
  updatedAt,
  updatedBy,
  audio: {
    active: sql<0 | 1 | 2>`${overlayControls.audioActive}`,
    muted: overlayControls.audioMuted,
    volume: overlayControls.audioVolume,
  },
  /** Leaves out matches that were deleted. */
  highlighted: sql<string[]>`array(
    select m.guid from unnest(${overlayControls.highlighted}) with ordinality as h (guid, place)
    join ${matches} m on m.guid = h.guid order by h.place
  )`,
}

const found = (orm: Orm) => orm.select(columns).from(overlayControls)

const byOverlay = statement('overlay_controls.by_overlay', (orm) =>
  found(orm).where(eq(overlayControls.overlayGuid, sql.placeholder('overlay'))),
)

/** Returns the stored control state; undefined if nothing was set. */
export async function findSet(db: Db, overlay: string): Promise<Control | undefined> {
  const [row] = await byOverlay(db, { overlay })
  return row === undefined ? undefined : controlOf(row)
}

/** A row with revision 0 only stores the turns of writes: nothing was set. */
function controlOf(row: Control): Control {
  return { ...row, updatedAt: row.revision === 0 ? null : row.updatedAt }
}

/** Locks the control state of an overlay, even if nothing was set yet. Returns undefined if the overlay was deleted. */
export async function lockControl(tx: Tx, overlay: string): Promise<Control | undefined> {
  await tx.session.orm.insert(overlayControls).values({ overlayGuid: overlay }).onConflictDoNothing()
  const [row] = await found(tx.session.orm)
    .where(eq(overlayControls.overlayGuid, overlay))
    .for('update', { of: overlayControls })
  return row === undefined ? undefined : controlOf(row)
}

/** Locks the control state if anything was ever set. */
export async function lockSet(tx: Tx, overlay: string): Promise<Control | undefined> {
  const [row] = await found(tx.session.orm)
    .where(eq(overlayControls.overlayGuid, overlay))
    .for('update', { of: overlayControls })
  return row === undefined ? undefined : controlOf(row)
}

type Named = Exclude<keyof Control, 'overlayGuid' | 'revision' | 'updatedAt' | 'updatedBy'>

export interface Write {
  readonly by: string | null
  readonly now: Date
  /**
   * The scene was chosen by hand: earlier events do not change it any more, and a scene that was due is cancelled.
   * (OV14)
   */
  readonly isSceneChosen?: boolean
  /** The overlay was pointed at a match: earlier events do not change its scene any more. (OV14) */
  readonly isPointed?: boolean
}

const newest = sql<number>`(select coalesce(max(seq), 0) from ${eventLog})`

/** Saves only the named members of the locked control state. Returns the new state. */
export async function updateControl(tx: Tx, after: Control, named: readonly Named[], write: Write): Promise<Control> {
  const { by, now, isSceneChosen = false, isPointed = false } = write
  const set = Object.fromEntries(named.filter((name) => name !== 'audio').map((name) => [name, after[name]]))
  const { active, muted, volume } = after.audio
  const revision = after.revision + 1
  await tx.session.orm
    .update(overlayControls)
    .set({
      ...set,
      ...(named.includes('audio') ? { audioActive: active, audioMuted: muted, audioVolume: volume } : {}),
      ...(isSceneChosen ? { sceneSeq: newest } : {}),
      ...(isPointed ? { pointedSeq: newest } : {}),
      ...(isSceneChosen || isPointed ? { advanceTo: null, advanceAt: null } : {}),
      revision,
      updatedAt: now,
      updatedBy: by,
    })
    .where(eq(overlayControls.overlayGuid, after.overlayGuid))
  return { ...after, revision, updatedAt: now, updatedBy: by }
}

/** A user chose the scene that is shown already: a scene that was due is cancelled. (OV14) */
export async function updateSceneSeq(tx: Tx, overlay: string): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ sceneSeq: newest, advanceTo: null, advanceAt: null })
    .where(eq(overlayControls.overlayGuid, overlay))
}

/** Cancels a due scene that the document lacks. (OV14) */
export async function forgetMissing(tx: Tx, overlay: string, scenes: readonly string[]): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ advanceTo: null, advanceAt: null })
    .where(
      sql`${overlayControls.overlayGuid} = ${overlay} and not (${overlayControls.advanceTo} = any(${sql.param([...scenes])}::text[]))`,
    )
}
