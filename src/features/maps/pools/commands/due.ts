import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockUncancelledForShare } from '../../../tournaments/tournaments/store/tournaments.ts'
import { songTags } from '../../catalogue/events.ts'
import { poolsTag } from '../events.ts'
import { snapshotsOf } from '../queries/pools.ts'
import { insertChange } from '../store/changes.ts'
import { listWholeMaps, releasePoolMaps } from '../store/maps.ts'
import { findPool, lockPool, updatePool, writeAnnounced } from '../store/pools.ts'
import type { Pool } from '../types.ts'
import { shownChanges } from './changing.ts'
import { publishNow } from './publishing.ts'

/**
 * Changes of pools that are due at a time. Each pool is checked again under its lock: another process may have been
 * faster, or a user may have changed the time. In a cancelled tournament nothing is published and no captain is
 * notified. (D25)
 * @param now by the clock of the database, so that a process with a wrong clock publishes nothing early
 */

async function lockDue(tx: Tx, guid: string): Promise<Pool | undefined> {
  const found = await findPool(tx, guid)
  if (found === undefined || !(await lockUncancelledForShare(tx, found.tournamentGuid))) return undefined
  return lockPool(tx, guid)
}

/** Publishes a scheduled pool whose time has come. (pools: States) */
export async function publishDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const pool = await lockDue(tx, guid)
  if (pool?.status !== 'draft' || pool.publishAt === null || pool.publishAt > now) return
  await publishNow(tx, { actor: null, tournament: { guid: pool.tournamentGuid }, now }, pool)
}

/**
 * Releases the maps of a published pool whose time has come, as a correction without a reason. (pools: States, rule 2)
 */
export async function releaseDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const pool = await lockDue(tx, guid)
  if (pool?.status !== 'published') return
  const released = await releasePoolMaps(tx, guid, now)
  if (released.length === 0) return
  const revision = pool.lastRevision + 1
  const after = await listWholeMaps(tx, [guid])
  await updatePool(tx, guid, shownChanges(pool, revision, now), now)
  await insertChange(tx, {
    poolGuid: guid,
    revision,
    kind: 'added',
    reason: null,
    byGuid: null,
    at: now,
    isShown: true,
    before: null,
    after: await snapshotsOf(tx, pool.tournamentGuid, after, new Set(released)),
  })
  const come = after.filter((map) => released.includes(map.guid))
  const maps = come.map(({ guid: poolMapGuid, mapGuid, map }) => ({ poolMapGuid, mapGuid, name: map.name }))
  emit(tx, {
    type: 'pool.map_released',
    subject: guid,
    tournament: pool.tournamentGuid,
    actor: null,
    after: { revision, maps },
    touches: [poolsTag, ...songTags(come.map(({ map }) => map))],
  })
}

/** Notifies captains of the corrections since the last notification. (pools: States) */
export async function announceDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const pool = await lockDue(tx, guid)
  if (pool === undefined || pool.announceAt === null || pool.announceAt > now) return
  if (pool.settledAt !== null && pool.announceAt <= pool.settledAt) return
  await writeAnnounced(tx, guid, now)
  emit(tx, {
    type: 'pool.announced',
    subject: guid,
    tournament: pool.tournamentGuid,
    actor: null,
    after: { name: pool.name, revision: pool.lastRevision },
  })
}
