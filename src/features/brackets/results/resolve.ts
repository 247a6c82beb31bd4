import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownCorrection } from './rules.ts'
import { findCorrection } from './store.ts'
import type { Correction } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    correction: Correction
  }
}

/** Resolves `:correction` in an address, in the tournament that the address names before it. */
export const resolveCorrection: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findCorrection(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownCorrection()
  return { record }
}
