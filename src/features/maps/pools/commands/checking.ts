import { Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { enterMaps } from '../../catalogue/commands.ts'
import type { Finding } from '../../catalogue/types.ts'
import { unreachableCatalogue } from '../prepare.ts'
import { checkStatus } from '../rules/publishing.ts'
import { type WatchedMap, writeChecked } from '../store/watched.ts'
import type { Pool } from '../types.ts'
import { lockPool, type Writing } from './changing.ts'

export interface CheckedMaps {
  readonly maps: readonly WatchedMap[]
  /** The catalogue's findings, in the order of the maps. */
  readonly findings: readonly Finding[]
}

/**
 * The maps of a pool may be compared with the catalogue on request once in this time, in milliseconds.
 * (pools: Version watch)
 */
const pauseMs = 60_000

/** @throws Problem `pool.checked_recently` */
export function checkMayCheck({ checkedAt }: Pick<Pool, 'checkedAt'>, now: Date): void {
  const waitMs = (checkedAt?.getTime() ?? 0) + pauseMs - now.getTime()
  if (waitMs <= 0) return
  throw new Problem('limited', 'pool.checked_recently', 'The maps of this pool were checked just now.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  })
}

/**
 * Saves the catalogue's current answers about the maps of a pool.
 * @throws Problem the problems of `lockPool`, `pool.wrong_status`, `pool.checked_recently`, `catalogue.unreachable`
 */
export async function noteChecked(
  tx: Tx,
  { tournament, now }: Writing,
  guid: string,
  checked: CheckedMaps,
): Promise<Pool> {
  const pool = await lockPool(tx, guid, tournament)
  checkStatus(pool, ['draft', 'published'], 'checked')
  checkMayCheck(pool, now)
  const answered = answersOf(checked)
  if (answered.length === 0 && checked.maps.length > 0) throw unreachableCatalogue()
  await enterMaps(tx, answered, now)
  await writeChecked(tx, guid, now)
  return { ...pool, checkedAt: now }
}

/** Leaves out maps without an answer from the catalogue: their state does not change. */
export function answersOf({ maps, findings }: CheckedMaps) {
  return maps.flatMap((identity, index) => {
    const finding = findings[index]
    return finding === undefined || finding.outcome === 'unreachable' ? [] : [{ identity, finding }]
  })
}
