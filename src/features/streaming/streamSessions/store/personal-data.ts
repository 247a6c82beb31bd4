import { eq } from 'drizzle-orm'
import { changeRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamServers } from '../../streamServers/tables.ts'
import { streamSessions } from '../tables.ts'

/** The streams of a user, with the addresses that they were published from as long as these are kept. */
export const streamSessionsSections = {
  streamSessions: rowsOf(streamSessions, 'userGuid', {
    join: [streamServers, eq(streamServers.guid, streamSessions.serverGuid)],
    shows: [
      ...['guid', { server: streamServers.name }, 'protocol', 'test', 'tournamentGuid', 'startedAt', 'endedAt'],
      ...['endReason', 'address'],
    ] as const,
    order: ['startedAt', 'guid'],
  }),
}

export const forgetAddresses = changeRows(streamSessions, 'userGuid', { address: null })
