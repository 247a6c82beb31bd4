import { eq } from 'drizzle-orm'
import { changeRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamServers } from '../../streamServers/tables.ts'
import { streamSessions } from '../tables.ts'

/** A user's streams, with the network addresses of the publisher while these are stored. */
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
