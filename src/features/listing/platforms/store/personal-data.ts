import { asc } from 'drizzle-orm'
import { rowsOf } from '../../../../infra/db/personal-data.ts'
import { platformMembers as members } from '../tables.ts'

/** A user's memberships of platforms. */
export const platformsSections = {
  platformMemberships: rowsOf(members, 'userGuid', {
    shows: ['platformGuid', 'role', 'addedAt'],
    order: ['addedAt', asc(members.platformGuid)],
  }),
}
