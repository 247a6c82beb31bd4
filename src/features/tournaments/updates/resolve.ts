import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isOrganiserOrStaff } from '../access/policy.ts'
import { hasDelivery } from '../chatDeliveries/store/deliveries.ts'
import type { Tournament } from '../tournaments/types.ts'
import { unknownUpdate } from './rules/editing.ts'
import { findUpdate } from './store/updates.ts'
import type { Update } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    update: Update
  }
}

/**
 * Resolves `:update` in a path, within the tournament named before it. Users who may post can still find a deleted
 * update until its chat announcement is removed. (D51)
 */
export const resolveUpdate: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findUpdate(db, normaliseGuid(value)) : undefined
  if (record === undefined || record.tournamentGuid !== tournament.guid) throw unknownUpdate()
  if (record.deletedAt === null) return { record }
  if (!isOrganiserOrStaff(actor) || !(await hasDelivery(db, record.guid))) throw unknownUpdate()
  return { record }
}
