import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { streamServers } from '../../streamServers/tables.ts'
import { streamSessions } from '../tables.ts'

/** The streams of a user, with the addresses that they were published from as long as these are kept. */
export const streamSessionsSections = { streamSessions: listSessionsOf }

async function listSessionsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: streamSessions.guid,
      server: streamServers.name,
      protocol: streamSessions.protocol,
      test: streamSessions.test,
      tournamentGuid: streamSessions.tournamentGuid,
      startedAt: streamSessions.startedAt,
      endedAt: streamSessions.endedAt,
      endReason: streamSessions.endReason,
      address: streamSessions.address,
    })
    .from(streamSessions)
    .innerJoin(streamServers, eq(streamServers.guid, streamSessions.serverGuid))
    .where(eq(streamSessions.userGuid, userGuid))
    .orderBy(desc(streamSessions.startedAt), desc(streamSessions.guid))
    .limit(limit)
}

export async function forgetAddressesOf(tx: Tx, userGuid: string): Promise<void> {
  await tx.session.orm.update(streamSessions).set({ address: null }).where(eq(streamSessions.userGuid, userGuid))
}
