import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isPooler } from '../../tournaments/access/policy.ts'
import type { Pool } from '../pools/types.ts'
import { findImport } from './store.ts'
import type { ImportJob } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    import: ImportJob
  }
}

/**
 * Resolves `:import` in an address, within the pool of the address. For outsiders, every import is unknown.
 * (pools: What outsiders see, rule 4)
 */
export const resolveImport: Resolver = async ({ db, actor, records }, value) => {
  const pool = records.pool as Pool
  const record = isGuid(value) && isPooler(actor) ? await findImport(db, normaliseGuid(value)) : undefined
  if (record?.poolGuid !== pool.guid) throw missing('import.unknown', 'There is no such import into this pool.')
  return { record }
}
