import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySeeMap, maySeePool } from './policy.ts'
import { findPoolMap } from './store/maps.ts'
import { findPool } from './store/pools.ts'
import type { Pool, PoolMap } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    pool: Pool
    poolMap: PoolMap
  }
}

/**
 * Resolves `:pool` in an address, a GUID, within the tournament of the address. A pool that the actor may not see
 * counts as unknown. (D5)
 */
export const resolvePool: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findPool(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid || !maySeePool(actor, record)) throw unknownPool()
  return { record }
}

/** Resolves `:poolMap` in an address, within the pool of the address. */
export const resolvePoolMap: Resolver = async ({ db, actor, records }, value) => {
  const pool = records.pool as Pool
  const record = isGuid(value) ? await findPoolMap(db, normaliseGuid(value)) : undefined
  if (record?.poolGuid !== pool.guid || !maySeeMap(actor, pool, record)) throw unknownPoolMap()
  return { record }
}

export function unknownPool() {
  return missing('pool.unknown', 'There is no such pool.')
}

export function unknownPoolMap() {
  return missing('pool.map_unknown', 'There is no such map in this pool.')
}
