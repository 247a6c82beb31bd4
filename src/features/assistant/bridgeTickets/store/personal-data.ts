import { clear, declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { bridgeTickets } from '../tables.ts'

const shows = ['tournamentGuid', 'matchGuid', 'createdAt', 'expiresAt'] as const

/** Tickets that were made for a user, or by a user for others; without their secrets. */
export const bridgeTicketsPersonalData = declarePersonalData({
  sections: {
    bridgeTickets: rowsOf(bridgeTickets, 'userGuid', { shows }),
    bridgeTicketsMade: rowsOf(bridgeTickets, 'madeBy', { shows }),
  },
  forget: [deleteRows(bridgeTickets, 'userGuid'), clear(bridgeTickets, 'madeBy')],
})
