import { rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamAssignments as assignments } from '../tables.ts'

/** What a user was to show. What the staff noted of them stays with the staff. */
export const streamAssignmentsSections = {
  streamAssignments: rowsOf(assignments, 'userGuid', {
    shows: [
      ...['guid', 'tournamentGuid', 'matchGuid', 'role', 'side', 'slot', 'startsAt', 'endsAt', 'cancelledAt'],
      'createdAt',
    ] as const,
    order: ['startsAt', 'guid'],
  }),
}
