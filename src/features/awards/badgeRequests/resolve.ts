import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { badgeManagers } from '../badges/policy.ts'
import { unknownRequest } from './rules.ts'
import { findRequest } from './store/requests.ts'
import type { BadgeRequest } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    badgeRequest: BadgeRequest
  }
}

/**
 * Resolves `:badgeRequest` in a path. Below a tournament, its organisers find the tournament's requests; elsewhere,
 * managers of badges find all. For all other callers no request exists.
 */
export const resolveBadgeRequest: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament | undefined
  const maySee = tournament === undefined ? badgeManagers.allows(actor, {}) : isOrganiser(actor)
  const record = maySee && isGuid(value) ? await findRequest(db, normaliseGuid(value)) : undefined
  if (record === undefined || (tournament !== undefined && record.tournament.guid !== tournament.guid)) {
    throw unknownRequest()
  }
  return { record }
}
