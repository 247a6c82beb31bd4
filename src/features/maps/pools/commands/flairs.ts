import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { poolsTag } from '../events.ts'
import { checkReplaced, differingFlairs, type FlairInput, planFlairs } from '../rules/flairs.ts'
import {
  deleteFlairs,
  insertFlairs,
  listCarriers,
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
import { differingMaps, settle, type Writing } from './changing.ts'

/**
 * Replaces the list of a tournament's flairs. If the maps of a published pool then have other flairs, or flairs that
 * look different, the pool gets a correction with a new revision. An archived pool shows the new flairs but keeps its
 * revision, because archived pools have no corrections. (pools: States; pools: Who may do what)
 * @throws Problem `tournament.cancelled`, `flair.in_use` and the problems of `planFlairs`
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
  // Locks all pools, because commands that add maps or change slots hold the lock of the pool.
  const published = new Map<string, Pool>()
  for (const { guid } of await listPools(tx, tournament.guid)) {
    const pool = await lockPool(tx, guid)
    if (pool?.status === 'published') published.set(guid, pool)
  }
  const current = await listFlairs(tx, tournament.guid)
  const plan = planFlairs(current, wanted)
  const carriers = await listCarriers(tx, [...published.keys()], differingFlairs(current, plan.updated))
  const before = Map.groupBy(await listWholeMaps(tx, carriers), ({ poolGuid }) => poolGuid)
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
  const after = Map.groupBy(await listWholeMaps(tx, carriers), ({ poolGuid }) => poolGuid)
  for (const guid of carriers) {
    const pool = published.get(guid)
    const [was, is] = [before.get(guid) ?? [], after.get(guid) ?? []]
    const changed = differingMaps(was, is)
    if (pool === undefined || changed.length === 0) continue
    const done = { kind: 'edited', before: changed, after: changed } as const
    await settle(tx, { actor: actor.guid, tournament, now }, { pool, before: was, after: is, done, reason })
  }
  return flairs
}

/** Removes the slots of deleted flairs from all pools. */
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
