import { sql } from 'drizzle-orm'
import { channelEntries, channelLists, channels } from '../../../streaming/channels/tables.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { columnsOf, kind, link, name, ofTournament, person, plain, staffText, word } from './kind.ts'

export const channelsKind = kind(
  'channels',
  columnsOf(channels, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, url: link, delaySeconds: plain, position: plain },
    ...{ queueRevision: plain, createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: ['guid', 'name', 'url', 'delaySeconds', 'position', 'queueRevision', 'createdAt', 'updatedAt'],
    },
  },
)

export const channelList = kind(
  'channelList',
  columnsOf(channelLists, { tournamentGuid: ofTournament, revision: plain }),
  { order: ['revision'], open: { members: ['revision'] } },
)

export const queues = kind(
  'queues',
  columnsOf(channelEntries, { channelGuid: plain, matchGuid: plain, position: plain, status: word, plannedAt: plain }),
  {
    of: (tournament) =>
      sql`${channelEntries.channelGuid} in (select c.guid from ${channels} c where c.tournament_guid = ${tournament})`,
    order: ['channelGuid', 'matchGuid'],
    open: { members: ['channelGuid', 'matchGuid', 'position', 'status', 'plannedAt'] },
  },
)

export const assignments = kind(
  'assignments',
  columnsOf(streamAssignments, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, userGuid: person, role: word, side: plain },
    ...{ slot: plain, startsAt: plain, endsAt: plain, cancelledAt: plain, note: staffText },
    ...{ createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: [
        ...['guid', 'matchGuid', 'userGuid', 'role', 'side', 'slot', 'startsAt', 'endsAt', 'createdAt', 'updatedAt'],
      ],
      rows: () => sql`${streamAssignments.cancelledAt} is null`,
    },
  },
)
