import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { bridgeTickets } from '../tables.ts'

/** Tickets that were made for a user, and by them for others; never with what they are opened by. */
export const bridgeTicketsPersonalData = {
  sections: { bridgeTickets: listTicketsFor, bridgeTicketsMade: listTicketsBy },
  forget: forgetUser,
}

const columns = {
  tournamentGuid: bridgeTickets.tournamentGuid,
  matchGuid: bridgeTickets.matchGuid,
  createdAt: bridgeTickets.createdAt,
  expiresAt: bridgeTickets.expiresAt,
}

async function listTicketsFor(db: Db, userGuid: string, limit: number) {
  return listOf(db, eq(bridgeTickets.userGuid, userGuid), limit)
}

async function listTicketsBy(db: Db, userGuid: string, limit: number) {
  return listOf(db, eq(bridgeTickets.madeBy, userGuid), limit)
}

async function listOf(db: Db, whose: ReturnType<typeof eq>, limit: number) {
  return db.session.orm
    .select(columns)
    .from(bridgeTickets)
    .where(whose)
    .orderBy(desc(bridgeTickets.createdAt), desc(bridgeTickets.guid))
    .limit(limit)
}

async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(bridgeTickets).where(eq(bridgeTickets.userGuid, guid))
  await orm.update(bridgeTickets).set({ madeBy: null }).where(eq(bridgeTickets.madeBy, guid))
}
