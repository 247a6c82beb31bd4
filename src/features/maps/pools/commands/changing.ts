import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { isHeadPooler } from '../../../tournaments/access/policy.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { songTags } from '../../catalogue/events.ts'
import { poolsTag } from '../events.ts'
import { type Reader, readPool, snapshotsOf } from '../queries/pools.ts'
import { unknownPool } from '../resolve.ts'
import { maxMaps } from '../rules/maps.ts'
import { checkReady, failuresOf } from '../rules/publishing.ts'
import { checkDraftRevision, checkMapsWritable } from '../rules/settings.ts'
import { insertChange } from '../store/changes.ts'
import { listWholeMaps } from '../store/maps.ts'
import { lockPool as lockRow, type PoolChanges, updatePool } from '../store/pools.ts'
import type { ChangeKind, Pool, WholePoolMap } from '../types.ts'

/** Every change of a pool and of its maps locks the pool, and is checked against the result of the change before. */

/** The user who changes a pool, the pool's tournament, and the time. */
export interface Writing {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly now: Date
}

/**
 * Locks a pool and returns its current state.
 * @throws Problem `tournament.cancelled`, `pool.unknown`
 */
export async function lockPool(tx: Tx, guid: string, tournament: Tournament): Promise<Pool> {
  checkNotCancelled(tournament)
  const pool = await lockRow(tx, guid)
  if (pool === undefined) throw unknownPool()
  return pool
}

/** The effect of a change on the maps of a pool. A change without effect gives null instead. */
export interface Done {
  readonly kind: ChangeKind
  /** GUIDs of the changed maps, as they were before and as they are after the change. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface MapWrite {
  /** Reason for the correction of a published pool. */
  readonly reason: string | null
  /** The `draftRevision` that the caller has seen, if the request gives it. */
  readonly seen?: number | undefined
  /** The change concerns data that only poolers see: every pooler may make it, in any status of the pool. */
  readonly isAmongStaff?: boolean
  readonly work: (pool: Pool, maps: readonly WholePoolMap[]) => Promise<Done | null>
}

/**
 * Changes the maps of a pool. In a published pool this is a correction: it needs a reason, raises `revision` if the
 * public sees a difference, and adds an entry with the maps before and after. (pools: States; pools: Who may do what)
 * @throws Problem the problems of `lockPool` and `checkMapsWritable`, `pool.stale`, `pool.not_ready`, `pool.full`
 */
export async function changeMaps(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  { reason, seen, isAmongStaff = false, work }: MapWrite,
  reader: Pick<Reader, 'publicUrl'>,
): Promise<void> {
  const pool = await lockPool(tx, guid, tournament)
  if (!isAmongStaff) checkMapsWritable(pool, isHeadPooler(actor), reason)
  await checkNotStale(tx, tournament, pool, seen, { ...reader, actor, now })
  const before = await listWholeMaps(tx, [guid])
  const done = await work(pool, before)
  if (done === null) return
  const after = await listWholeMaps(tx, [guid])
  if (after.length > maxMaps) throw poolFull()
  await settle(tx, { actor: actor.guid, tournament, now }, { pool, before, after, done, reason })
}

export function poolFull() {
  return conflict('pool.full', `A pool has at most ${maxMaps} maps.`)
}

/** @throws Problem `pool.stale` with the current pool */
export async function checkNotStale(
  tx: Tx,
  tournament: Tournament,
  pool: Pool,
  seen: number | undefined,
  reader: Reader,
): Promise<void> {
  if (checkDraftRevision(pool, seen)) return
  throw conflict('pool.stale', 'The pool has changed since it was loaded; look at it as it is, and try again.', {
    pool: await readPool(tx, tournament, pool, reader),
  })
}

interface Settled {
  readonly pool: Pool
  readonly before: readonly WholePoolMap[]
  readonly after: readonly WholePoolMap[]
  readonly done: Done
  readonly reason: string | null
}

/** The author of a change; `actor` is null if the service itself makes it. */
export interface Writer {
  readonly actor: string | null
  readonly tournament: Pick<Tournament, 'guid'>
  readonly now: Date
}

/** Saves the result of a change: the revisions of the pool and the entry of the correction. Emits the event. */
export async function settle(tx: Tx, { actor, tournament, now }: Writer, settled: Settled): Promise<void> {
  const { pool, before, after, done, reason } = settled
  if (pool.publishAt !== null) checkReady(failuresOf(pool.slots, after), pool.forcedFailures ?? [])
  const isShown = pool.status !== 'draft' && looksDifferent(before, after)
  const revision = pool.lastRevision + (isShown ? 1 : 0)
  await updatePool(tx, pool.guid, isShown ? shownChanges(pool, revision, now) : {}, now)
  const logged = { before: namesOf(before, done.before), after: namesOf(after, done.after) }
  if (pool.status !== 'draft' && isEntered(before, after)) {
    const [was, is] = await Promise.all([
      snapshotsOf(tx, tournament.guid, before, new Set(done.before)),
      snapshotsOf(tx, tournament.guid, after, new Set(done.after)),
    ])
    await insertChange(tx, {
      poolGuid: pool.guid,
      revision,
      kind: done.kind,
      reason,
      byGuid: actor,
      at: now,
      isShown,
      before: was.length === 0 ? null : was,
      after: is.length === 0 ? null : is,
    })
  }
  const common = { subject: pool.guid, tournament: tournament.guid, actor }
  if (isShown) {
    emit(tx, {
      ...common,
      type: 'pool.corrected',
      before: { maps: logged.before },
      after: { revision, kind: done.kind, maps: logged.after, reason },
      touches: [poolsTag, ...songTags(newlyShown(before, after))],
    })
  } else {
    const draftRevision = pool.draftRevision + 1
    emit(tx, {
      ...common,
      type: 'pool.drafted',
      before: { maps: logged.before },
      after: { kind: done.kind, maps: logged.after, draftRevision },
    })
  }
}

/** Returns the songs that the change makes visible to everybody in this pool. */
function newlyShown(before: readonly WholePoolMap[], after: readonly WholePoolMap[]) {
  const shown = (maps: readonly WholePoolMap[]) => maps.filter(({ releasedAt }) => releasedAt !== null)
  const seen = new Set(shown(before).map(({ mapGuid }) => mapGuid))
  return shown(after).flatMap(({ mapGuid, map }) => (seen.has(mapGuid) ? [] : [map]))
}

/** Whether the change is a correction. Changes of staff notes alone are not. */
function isEntered(before: readonly WholePoolMap[], after: readonly WholePoolMap[]): boolean {
  const open = (maps: readonly WholePoolMap[]) => maps.map(({ staffNote: _note, ...map }) => map)
  return !isDeepStrictEqual(open(before), open(after))
}

/** Captains are notified of corrections at most once in this time, in milliseconds. (pools: States) */
export const announcingMs = 10 * 60_000

export function shownChanges(pool: Pool, revision: number, now: Date): PoolChanges {
  const next = new Date(Math.max(now.getTime(), (pool.announcedAt?.getTime() ?? 0) + announcingMs))
  // One that is in the past may have been due before the pool was restored, and would never come.
  const planned = pool.announceAt !== null && pool.announceAt > now ? pool.announceAt : next
  const announceAt = pool.status === 'published' ? planned : pool.announceAt
  return { revision, lastRevision: revision, shownAt: now, announceAt }
}

/** Whether the maps of a pool look different to everybody. */
export function looksDifferent(before: readonly WholePoolMap[], after: readonly WholePoolMap[]): boolean {
  return !isDeepStrictEqual(faceOf(before), faceOf(after))
}

/** Returns the GUIDs of the visible maps that look different to everybody. */
export function differingMaps(before: readonly WholePoolMap[], after: readonly WholePoolMap[]): readonly string[] {
  const faces = new Map(faceOf(before).map((face) => [face.guid, face]))
  return faceOf(after).flatMap((face) => (isDeepStrictEqual(faces.get(face.guid), face) ? [] : [face.guid]))
}

/** Returns the maps of a pool as everybody sees them. The order of flairs counts only the flairs of visible maps. */
function faceOf(maps: readonly WholePoolMap[]) {
  const shown = maps.filter(({ releasedAt }) => releasedAt !== null)
  const flairs = new Map(shown.flatMap(({ flair }) => (flair === null ? [] : [[flair.guid, flair] as const])))
  const places = [...flairs.values()].toSorted((one, other) => one.order - other.order).map(({ guid }) => guid)
  return shown.map(({ staffNote: _note, order: _order, map: _map, releasedAt: _at, flair, ...face }) => {
    return { ...face, flair: flair && { ...flair, order: places.indexOf(flair.guid) } }
  })
}

/** Maximum number of maps that one event names. */
const maxTold = 200

function namesOf(maps: readonly WholePoolMap[], guids: readonly string[]) {
  const wanted = new Set(guids)
  return maps
    .filter(({ guid }) => wanted.has(guid))
    .slice(0, maxTold)
    .map(({ guid, mapGuid, map }) => ({ poolMapGuid: guid, mapGuid, name: map.name }))
}
