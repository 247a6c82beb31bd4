import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isAnyStaff } from '../../tournaments/access/policy.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownRehearsal } from './rules.ts'
import { findRehearsal } from './store.ts'
import type { Rehearsal } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    rehearsal: Rehearsal
  }
}

/** Resolves `:rehearsal` in a path, of the tournament named before it; unknown to all but its staff. (R1) */
export const resolveRehearsal: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) && isAnyStaff(actor) ? await findRehearsal(db, normaliseGuid(value)) : undefined
  if (record?.of !== tournament.guid) throw unknownRehearsal()
  return { record }
}
