import { asc } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { appearances } from '../tables.ts'

/** Where a user played: history, which knows them by their GUID when they are gone. */
export const registrationPersonalData = declarePersonalData({
  sections: {
    appearances: rowsOf(appearances, 'userGuid', {
      shows: ['tournamentGuid', 'firstAt'],
      order: ['firstAt', asc(appearances.tournamentGuid)],
    }),
  },
})
