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

interface Due {
  readonly pool: Pool
  /** What was due by this instant is not done; null for a tournament that was made here. (P6) */
  readonly after: Date | null
}

async function lockDue(tx: Tx, guid: string): Promise<Due | undefined> {
  const found = await findPool(tx, guid)
  const tournament = found && (await lockUncancelledForShare(tx, found.tournamentGuid))
  const pool = tournament && (await lockPool(tx, guid))
  return pool && { pool, after: tournament.restoredAt }
}

function isDue(at: Date | null, { after }: Due, now: Date): boolean {
  return at !== null && at <= now && (after === null || at > after)
}

/** Publishes a scheduled pool whose time has come. (pools: States) */
export async function publishDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const due = await lockDue(tx, guid)
  if (due?.pool.status !== 'draft' || !isDue(due.pool.publishAt, due, now)) return
  const { pool } = due
  await publishNow(tx, { actor: null, tournament: { guid: pool.tournamentGuid }, now }, pool)
}

/**
 * Releases the maps of a published pool whose time has come, as a correction without a reason. (pools: States, rule 2)
 */
export async function releaseDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const due = await lockDue(tx, guid)
  if (due?.pool.status !== 'published') return
  const { pool, after: since } = due
  const released = await releasePoolMaps(tx, guid, now, since)
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
  const due = await lockDue(tx, guid)
  if (due === undefined || !isDue(due.pool.announceAt, due, now)) return
  const { pool } = due
  await writeAnnounced(tx, guid, now)
  emit(tx, {
    type: 'pool.announced',
    subject: guid,
    tournament: pool.tournamentGuid,
    actor: null,
    after: { name: pool.name, revision: pool.lastRevision },
  })
}
