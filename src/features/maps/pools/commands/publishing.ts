import { invalid } from '../../../../core/problem.ts'
import { formatInstant, readInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { songTags } from '../../catalogue/events.ts'
import { poolsTag } from '../events.ts'
import { checkNotInUse, checkPublishAt, checkReady, checkStatus, failuresOf } from '../rules/publishing.ts'
import { listWholeMaps, releasePoolMaps, withholdPoolMaps } from '../store/maps.ts'
import { updatePool, wasBegunWith } from '../store/pools.ts'
import type { Pool } from '../types.ts'
import { lockPool, type Writer, type Writing } from './changing.ts'

export interface PublishWish {
  /** A time in the future schedules the pool; null cancels the schedule; undefined publishes immediately. */
  readonly publishAt?: string | null
  /** Overrides all failures except `empty`. */
  readonly force?: boolean
}

/**
 * Publishes a draft immediately, or schedules it. (pools: States)
 * @throws Problem the problems of `lockPool`, `pool.wrong_status`, `pool.not_ready`, `pool.time_invalid`
 */
export async function publishPool(tx: Tx, writing: Writing, guid: string, wish: PublishWish): Promise<Pool> {
  const { actor, tournament, now } = writing
  const pool = await lockPool(tx, guid, tournament)
  checkStatus(pool, ['draft'], 'published')
  if (wish.publishAt === null) return reschedule(tx, writing, pool, null, null)
  const publishAt = readInstant(wish.publishAt, (reason) =>
    invalid('pool.time_invalid', `The body's member "publishAt" ${reason}.`),
  )
  if (publishAt !== null) checkPublishAt(publishAt, now)
  const failures = failuresOf(pool.slots, await listWholeMaps(tx, [guid]))
  checkReady(failures, wish.force === true ? 'all' : (pool.forcedFailures ?? []))
  if (publishAt !== null) return reschedule(tx, writing, pool, publishAt, failures)
  return publishNow(tx, { actor: actor.guid, tournament, now }, pool)
}

async function reschedule(
  tx: Tx,
  { actor, tournament, now }: Writing,
  pool: Pool,
  publishAt: Date | null,
  failures: Pool['forcedFailures'],
): Promise<Pool> {
  if (pool.publishAt?.getTime() === publishAt?.getTime()) return pool
  const changed = await updatePool(tx, pool.guid, { publishAt, forcedFailures: failures }, now)
  emit(tx, {
    type: 'pool.scheduled',
    subject: pool.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { publishAt: formatInstant(pool.publishAt) },
    after: { publishAt: formatInstant(publishAt) },
  })
  return changed
}

/** Makes the pool visible to everybody, with its released maps. Call under the lock of the pool. */
export async function publishNow(tx: Tx, { actor, tournament, now }: Writer, pool: Pool): Promise<Pool> {
  const revision = pool.lastRevision + 1
  await releasePoolMaps(tx, pool.guid, now)
  const changed = await updatePool(
    tx,
    pool.guid,
    {
      status: 'published',
      revision,
      lastRevision: revision,
      publishedAt: now,
      shownAt: now,
      announcedAt: now,
      publishAt: null,
      forcedFailures: null,
      previewKeyHash: null,
      announceAt: null,
    },
    now,
  )
  const maps = await listWholeMaps(tx, [pool.guid])
  emit(tx, {
    type: 'pool.published',
    subject: pool.guid,
    tournament: tournament.guid,
    actor,
    after: { name: pool.name, revision },
    touches: [poolsTag, ...songTags(maps.map(({ map }) => map))],
  })
  return changed
}

/**
 * Turns a published pool into a draft again, if no match was begun with it. (pools: States)
 * @throws Problem the problems of `lockPool`, `pool.wrong_status`, `pool.in_use`
 */
export async function unpublishPool(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  reason: string,
): Promise<Pool> {
  const pool = await lockPool(tx, guid, tournament)
  checkStatus(pool, ['published'], 'unpublished')
  checkNotInUse(await wasBegunWith(tx, pool))
  await withholdPoolMaps(tx, guid)
  const changed = await updatePool(
    tx,
    guid,
    { status: 'draft', revision: null, publishedAt: null, shownAt: null, announceAt: null },
    now,
  )
  emit(tx, {
    type: 'pool.unpublished',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { reason },
    rights: true,
    touches: [poolsTag],
  })
  return changed
}

/** @throws Problem the problems of `lockPool`, `pool.wrong_status` */
export async function archivePool(tx: Tx, { actor, tournament, now }: Writing, guid: string): Promise<Pool> {
  const pool = await lockPool(tx, guid, tournament)
  checkStatus(pool, ['published'], 'archived')
  const changed = await updatePool(
    tx,
    guid,
    { status: 'archived', archivedAt: now, shownAt: now, announceAt: null },
    now,
  )
  const common = { subject: guid, tournament: tournament.guid, actor: actor.guid, touches: [poolsTag] }
  emit(tx, { ...common, type: 'pool.archived' })
  return changed
}

/** @throws Problem the problems of `lockPool`, `pool.wrong_status`; `pool.qualifier_exists` by its constraint */
export async function unarchivePool(tx: Tx, { actor, tournament, now }: Writing, guid: string): Promise<Pool> {
  const pool = await lockPool(tx, guid, tournament)
  checkStatus(pool, ['archived'], 'unarchived')
  const changed = await updatePool(tx, guid, { status: 'published', archivedAt: null, shownAt: now }, now)
  const common = { subject: guid, tournament: tournament.guid, actor: actor.guid, touches: [poolsTag] }
  emit(tx, { ...common, type: 'pool.unarchived' })
  return changed
}
