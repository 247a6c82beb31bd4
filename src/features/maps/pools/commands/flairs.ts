import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { poolsTag } from '../events.ts'
import { checkReplaced, type FlairInput, planFlairs } from '../rules/flairs.ts'
import {
  deleteFlairs,
  insertFlairs,
  listFlairs,
  listFlairsInUse,
  readPoolingSettings,
  replaceFlair,
  updateFlairs,
  writePoolingSettings,
} from '../store/flairs.ts'
import { listWholeMaps } from '../store/maps.ts'
import { listPools, lockPool, updatePool } from '../store/pools.ts'
import type { Flair, Pool, PoolingSettings } from '../types.ts'
import { looksDifferent, settle, type Writing } from './changing.ts'

/**
 * Replaces the flairs of a tournament as a whole. A published pool whose maps carry others then, or some that look otherwise, is
 * corrected by that, with a revision of its own. (pools: States)
 * @throws Problem `tournament.cancelled`, `flair.in_use` and those of `planFlairs`
 */
export async function replaceFlairs(
  tx: Tx,
  { actor, tournament, now }: Writing,
  wanted: readonly FlairInput[],
  replaceWith: readonly { readonly from: string; readonly to: string }[],
  reason: string | null,
): Promise<readonly Flair[]> {
  const { tournament: locked } = await lockTournament(tx, tournament.guid)
  checkNotCancelled(locked)
  // Whoever adds maps, or sets what a pool wants, does so under the lock of the pool.
  const shown: Pool[] = []
  for (const { guid } of await listPools(tx, tournament.guid)) {
    const pool = await lockPool(tx, guid)
    if (pool !== undefined && pool.status !== 'draft') shown.push(pool)
  }
  const guids = shown.map(({ guid }) => guid)
  const before = Map.groupBy(await listWholeMaps(tx, guids), ({ poolGuid }) => poolGuid)
  const current = await listFlairs(tx, tournament.guid)
  const plan = planFlairs(current, wanted)
  const inUse = await listFlairsInUse(
    tx,
    plan.deleted.map(({ guid }) => guid),
  )
  const replacements = new Map(replaceWith.map(({ from, to }) => [from.toLowerCase(), to.toLowerCase()]))
  checkReplaced(plan.deleted, inUse, replacements, plan.updated)
  await insertFlairs(tx, tournament.guid, plan.created)
  await updateFlairs(tx, plan.updated)
  for (const [from, to] of replacements) await replaceFlair(tx, from, to)
  await cutSlots(tx, tournament.guid, plan.deleted, now)
  await deleteFlairs(
    tx,
    plan.deleted.map(({ guid }) => guid),
  )
  const flairs = await listFlairs(tx, tournament.guid)
  if (!isDeepStrictEqual(flairs, current)) {
    emit(tx, {
      type: 'flair.replaced',
      subject: tournament.guid,
      tournament: tournament.guid,
      actor: actor.guid,
      before: { flairs: current },
      after: { flairs },
      touches: [poolsTag],
    })
  }
  const after = Map.groupBy(await listWholeMaps(tx, guids), ({ poolGuid }) => poolGuid)
  for (const pool of shown) {
    const [was, is] = [before.get(pool.guid) ?? [], after.get(pool.guid) ?? []]
    if (!looksDifferent(was, is)) continue
    const flairsBefore = new Map(was.map(({ guid, flair }) => [guid, flair]))
    const changed = is.filter(({ guid, flair, releasedAt }) => {
      return releasedAt !== null && !isDeepStrictEqual(flairsBefore.get(guid), flair)
    })
    const names = changed.map(({ guid }) => guid)
    const done = { kind: 'edited', before: names, after: names } as const
    await settle(tx, { actor: actor.guid, tournament, now }, { pool, before: was, after: is, done, reason })
  }
  return flairs
}

/** Pools want no maps of a flair that is gone. */
async function cutSlots(tx: Tx, tournamentGuid: string, deleted: readonly Flair[], now: Date): Promise<void> {
  const gone = new Set(deleted.map(({ guid }) => guid))
  if (gone.size === 0) return
  for (const { guid, slots } of await listPools(tx, tournamentGuid)) {
    const kept = slots.filter(({ flairGuid }) => !gone.has(flairGuid))
    if (kept.length < slots.length) await updatePool(tx, guid, { slots: kept }, now)
  }
}

/** @throws Problem `tournament.cancelled` */
export async function changePooling(
  tx: Tx,
  { actor, tournament }: Writing,
  wanted: Partial<PoolingSettings>,
): Promise<PoolingSettings> {
  const { tournament: locked } = await lockTournament(tx, tournament.guid)
  checkNotCancelled(locked)
  const before = await readPoolingSettings(tx, tournament.guid)
  const after = { ...before, ...wanted }
  const names = (Object.keys(after) as (keyof PoolingSettings)[]).filter((name) => after[name] !== before[name])
  if (names.length === 0) return before
  await writePoolingSettings(tx, tournament.guid, after)
  const of = (settings: PoolingSettings) => Object.fromEntries(names.map((name) => [name, settings[name]]))
  emit(tx, {
    type: 'pooling.updated',
    subject: tournament.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: of(before),
    after: of(after),
  })
  return after
}
