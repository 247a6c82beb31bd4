import { asc } from 'drizzle-orm'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { tournamentRoleHolders as holders } from '../tables.ts'

/** What a user is in tournaments of others. Who granted a role stays on record with the role. */
export const accessPersonalData = declarePersonalData({
  sections: {
    tournamentRoles: rowsOf(holders, 'userGuid', {
      shows: ['tournamentGuid', 'role', 'grantedAt', { grantedByGuid: holders.grantedBy }],
      order: ['grantedAt', asc(holders.tournamentGuid)],
    }),
  },
  forget: [deleteRows(holders, 'userGuid')],
})
