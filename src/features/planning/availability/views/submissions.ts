import { type Static, Type } from 'typebox'
import { Guid, Instant } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { TournamentRoleName } from '../../../tournaments/access/views.ts'
import type { StaffAnswers, TeamSubmission } from '../types.ts'

/** When answers were given, and by which user. (rest-interface: AvailabilitySheet) */

export const TeamSubmissionView = Type.Object(
  { teamGuid: Guid, updatedByGuid: Guid, submittedAt: Instant },
  { title: 'TeamAvailabilitySubmission' },
)

export function submissionView({
  teamGuid,
  updatedByGuid,
  submittedAt,
}: TeamSubmission): Static<typeof TeamSubmissionView> {
  return { teamGuid, updatedByGuid, submittedAt: formatInstant(submittedAt) }
}

export const StaffSubmissionView = Type.Object(
  { userGuid: Guid, role: TournamentRoleName, submittedAt: Instant },
  { title: 'AvailabilitySubmission', description: 'When a user last answered in a role.' },
)

export function staffSubmissionView({
  userGuid,
  role,
  submittedAt,
}: Pick<StaffAnswers, 'userGuid' | 'role' | 'submittedAt'>): Static<typeof StaffSubmissionView> {
  return { userGuid, role, submittedAt: formatInstant(submittedAt) }
}
