import { sql } from 'drizzle-orm'
import { channelEntries, channelLists, channels } from '../../../streaming/channels/tables.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { columnsOf, kind, link, name, ofTournament, person, plain, staffText } from './kind.ts'

export const channelsKind = kind(
  'channels',
  columnsOf(channels, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, url: link, delaySeconds: plain, position: plain },
    ...{ queueRevision: plain, createdAt: plain, updatedAt: plain },
  }),
)

export const channelList = kind(
  'channelList',
  columnsOf(channelLists, { tournamentGuid: ofTournament, revision: plain }),
  { order: ['revision'] },
)

export const queues = kind(
  'queues',
  columnsOf(channelEntries, { channelGuid: plain, matchGuid: plain, position: plain, status: plain, plannedAt: plain }),
  {
    of: (tournament) =>
      sql`${channelEntries.channelGuid} in (select c.guid from ${channels} c where c.tournament_guid = ${tournament})`,
    order: ['channelGuid', 'matchGuid'],
  },
)

export const assignments = kind(
  'assignments',
  columnsOf(streamAssignments, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, userGuid: person, role: plain, side: plain },
    ...{ slot: plain, startsAt: plain, endsAt: plain, cancelledAt: plain, note: staffText },
    ...{ createdAt: plain, updatedAt: plain },
  }),
)
