import { type Static, Type } from 'typebox'
import type { Actor } from '../../core/actor.ts'
import { Guid, Instant, nullable, oneOf } from '../../core/schema.ts'
import { formatInstant } from '../../core/time.ts'
import { maySeeBlocks } from './policy.ts'
import { asOrganisersSee } from './rules.ts'
import { type VisibilityRequest as Request, requestStatuses } from './types.ts'

/** (D52) */
export const VisibilityRequest = Type.Object(
  {
    guid: Guid,
    status: oneOf(requestStatuses),
    reason: nullable(Type.String(), 'Why it was rejected.'),
    requestedAt: Instant,
    decidedAt: nullable(Instant),
  },
  { title: 'VisibilityRequest', description: 'A tournament’s request to be listed on a platform.' },
)

/** As reviewers see it. */
export function requestView(request: Request): Static<typeof VisibilityRequest> {
  return {
    guid: request.guid,
    status: request.status,
    reason: request.reason,
    requestedAt: formatInstant(request.requestedAt),
    decidedAt: request.decidedAt === null ? null : formatInstant(request.decidedAt),
  }
}

/** As the tournament's side sees it: a block is a rejection without a reason. */
export function organiserRequestView(request: Request, viewer: Actor): Static<typeof VisibilityRequest> {
  return requestView(maySeeBlocks(viewer) ? request : asOrganisersSee(request))
}
