import { asc } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { appearances } from '../tables.ts'

/** The tournaments in which a user played. They stay after the account is deleted, and name the user by GUID. */
export const registrationPersonalData = declarePersonalData({
  sections: {
    appearances: rowsOf(appearances, 'userGuid', {
      shows: ['tournamentGuid', 'firstAt'],
      order: ['firstAt', asc(appearances.tournamentGuid)],
    }),
  },
})
