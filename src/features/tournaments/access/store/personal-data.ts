import { asc } from 'drizzle-orm'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { tournamentRoleHolders as holders } from '../tables.ts'

/** A user's roles in tournaments of others. A role keeps the GUID of the user who granted it. */
export const accessPersonalData = declarePersonalData({
  sections: {
    tournamentRoles: rowsOf(holders, 'userGuid', {
      shows: ['tournamentGuid', 'role', 'grantedAt', { grantedByGuid: holders.grantedBy }],
      order: ['grantedAt', asc(holders.tournamentGuid)],
    }),
  },
  forget: [deleteRows(holders, 'userGuid')],
})
