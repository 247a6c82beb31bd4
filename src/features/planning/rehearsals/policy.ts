import { type Policy, policy } from '../../../core/actor.ts'
import { anyStaff, isAnyStaff, mayCoordinate, organisers } from '../../tournaments/access/policy.ts'
import { unknownRehearsal } from './rules.ts'

/** Callers without a role in the tournament learn nothing of its rehearsals, not even who may make them. (R1) */
const hidden = (policy: Policy): Policy => ({
  ...policy,
  refusal: (actor) => (isAnyStaff(actor) ? null : unknownRehearsal()),
})

export const rehearsalReaders = hidden(anyStaff)
export const rehearsalKeepers = hidden(organisers)
/** Coordinators run the evening. (R2) */
export const clockKeepers = hidden(
  policy('coordinators, and the organiser and admins of the tournament,', mayCoordinate),
)
