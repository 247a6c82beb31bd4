import { rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamAssignments as assignments } from '../tables.ts'

/** A user's stream assignments. The staff's notes about the user stay with the staff. */
export const streamAssignmentsSections = {
  streamAssignments: rowsOf(assignments, 'userGuid', {
    shows: [
      ...['guid', 'tournamentGuid', 'matchGuid', 'role', 'side', 'slot', 'startsAt', 'endsAt', 'cancelledAt'],
      'createdAt',
    ] as const,
    order: ['startsAt', 'guid'],
  }),
}
