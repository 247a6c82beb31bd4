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
  ...{ overlayGuid, scene, matchGuid, swapSides, mapCard, casters, flavour, countdownTo, blank, custom },
  ...{ autoAdvance, autoDelayMs, revision, updatedAt, updatedBy },
  audio: {
    active: sql<0 | 1 | 2>`${overlayControls.audioActive}`,
    muted: overlayControls.audioMuted,
    volume: overlayControls.audioVolume,
  },
  /** Those that there still are. */
  highlighted: sql<string[]>`array(
    select m.guid from unnest(${overlayControls.highlighted}) with ordinality as h (guid, place)
    join ${matches} m on m.guid = h.guid order by h.place
  )`,
}

const found = (orm: Orm) => orm.select(columns).from(overlayControls)

const byOverlay = statement('overlay_controls.by_overlay', (orm) =>
  found(orm).where(eq(overlayControls.overlayGuid, sql.placeholder('overlay'))),
)

/** What was set; undefined where nothing was. */
export async function findSet(db: Db, overlay: string): Promise<Control | undefined> {
  const [row] = await byOverlay(db, { overlay })
  return row === undefined ? undefined : controlOf(row)
}

/** A row that was made for the turns of writes alone tells nothing. */
function controlOf(row: Control): Control {
  return { ...row, updatedAt: row.revision === 0 ? null : row.updatedAt }
}

/** Locks what an overlay shows, whether or not anything was set yet; undefined for an overlay that is gone. */
export async function lockControl(tx: Tx, overlay: string): Promise<Control | undefined> {
  await tx.session.orm.insert(overlayControls).values({ overlayGuid: overlay }).onConflictDoNothing()
  const [row] = await found(tx.session.orm)
    .where(eq(overlayControls.overlayGuid, overlay))
    .for('update', { of: overlayControls })
  return row === undefined ? undefined : controlOf(row)
}

/** Locks it if anything was ever set. */
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
  /** Somebody has chosen the scene: what happened before that moves it no more, and nothing that was to come does. (OV14) */
  readonly isSceneChosen?: boolean
  /** It points at a match: what happened before that moves nothing. (OV14) */
  readonly isPointed?: boolean
}

const newest = sql<number>`(select coalesce(max(seq), 0) from ${eventLog})`

/** Writes the named members alone, of what is locked; answers the state as it is then. */
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
      ...{ revision, updatedAt: now, updatedBy: by },
    })
    .where(eq(overlayControls.overlayGuid, after.overlayGuid))
  return { ...after, revision, updatedAt: now, updatedBy: by }
}

/** Somebody has chosen the scene that is shown already: nothing that was to come moves it. (OV14) */
export async function keepScene(tx: Tx, overlay: string): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ sceneSeq: newest, advanceTo: null, advanceAt: null })
    .where(eq(overlayControls.overlayGuid, overlay))
}

/** What was to come is not shown where the document lacks it. (OV14) */
export async function forgetMissing(tx: Tx, overlay: string, scenes: readonly string[]): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ advanceTo: null, advanceAt: null })
    .where(
      sql`${overlayControls.overlayGuid} = ${overlay} and not (${overlayControls.advanceTo} = any(${sql.param([...scenes])}::text[]))`,
    )
}
