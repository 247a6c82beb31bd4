import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { forbidden } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { platformReviewers } from '../platforms/policy.ts'
import type { Platform } from '../platforms/types.ts'
import { unknownRequest } from './commands.ts'
import { findRequest } from './store/requests.ts'
import type { VisibilityRequest } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    visibilityRequest: VisibilityRequest
  }
}

/**
 * Resolves `:visibilityRequest` in an address: a GUID, among the requests of the platform that the address names before
 * it. A caller who is no reviewer gets the same refusal whether the request exists or not. (D5)
 */
export const resolveVisibilityRequest: Resolver = async ({ db, actor, records }, value) => {
  const platform = records.platform as Platform
  if (!platformReviewers.allows(actor, { platform })) {
    throw forbidden('role.missing', `Only ${platformReviewers.who} may do this.`)
  }
  const record = isGuid(value) ? await findRequest(db, platform.guid, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownRequest()
  return { record, tournament: record.tournamentGuid }
}
