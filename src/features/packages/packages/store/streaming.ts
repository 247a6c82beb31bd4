import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { oneOf } from '../../../../core/schema.ts'
import { ChannelsBody } from '../../../streaming/channels/bodies.ts'
import { channelEntries, channelLists, channels } from '../../../streaming/channels/tables.ts'
import { queueStatuses } from '../../../streaming/channels/types.ts'
import { AssignmentBody } from '../../../streaming/streamAssignments/bodies.ts'
import { maxNoteLength } from '../../../streaming/streamAssignments/rules.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { streamRoles } from '../../../streaming/streamAssignments/types.ts'
import { like, nameLike, textUpTo } from './bounds.ts'
import { columnsOf, forStaff, kind, link, ofTournament, person, plain, typed } from './kind.ts'

const channel = ChannelsBody.properties.channels.items.properties
const Side = Type.Integer({ minimum: 1, maximum: 2 })

export const channelsKind = kind(
  'channels',
  columnsOf(channels, {
    ...{ guid: plain, tournamentGuid: ofTournament, name: typed(nameLike(channel.name)), url: link },
    ...{ delaySeconds: typed(like(channel.delaySeconds)), position: plain },
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
  columnsOf(channelEntries, {
    channelGuid: plain,
    matchGuid: plain,
    position: plain,
    status: typed(oneOf(queueStatuses)),
    plannedAt: plain,
  }),
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
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, userGuid: person },
    ...{ role: typed(oneOf(streamRoles)), side: typed(Side), slot: typed(like(AssignmentBody.properties.slot)) },
    ...{ startsAt: plain, endsAt: plain, cancelledAt: plain, note: forStaff(textUpTo(maxNoteLength)) },
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
