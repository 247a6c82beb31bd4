import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isOrganiserOrStaff } from '../access/policy.ts'
import type { Tournament } from '../tournaments/types.ts'
import { unknownUpdate } from './rules/editing.ts'
import { hasDelivery } from './store/deliveries.ts'
import { findUpdate } from './store/updates.ts'
import type { Update } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    update: Update
  }
}

/**
 * `:update` in an address, in the tournament that stands before it. One that was deleted is there for those who may post
 * as long as its announcement is. (D51)
 */
export const resolveUpdate: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findUpdate(db, normaliseGuid(value)) : undefined
  if (record === undefined || record.tournamentGuid !== tournament.guid) throw unknownUpdate()
  if (record.deletedAt === null) return { record }
  if (!isOrganiserOrStaff(actor) || !(await hasDelivery(db, record.guid))) throw unknownUpdate()
  return { record }
}
