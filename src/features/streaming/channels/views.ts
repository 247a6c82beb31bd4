import { type Static, Type } from 'typebox'
import { anonymous } from '../../../core/actor.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import { dependenciesOf as dependenciesOfMatches, MatchView, readMatchView } from '../../brackets/matches/views.ts'
import { findPlannedFlow } from '../../flows/flowSessions/store/planned.ts'
import { flowMembers, flowMembersOf } from '../../flows/flowSessions/views/flow.ts'
import { listEntries } from './store.ts'
import { type Channel, type ChannelList, queueStatuses } from './types.ts'

const Revision = Type.Integer({ description: 'Grows with each change; 0 before the first.', examples: [3] })

/** A channel in an answer. (streaming: Records) */
export const ChannelView = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Main stream'] }),
    url: Type.String({ examples: ['https://streams.example.org/spring-cup'] }),
    delaySeconds: Type.Integer({ description: 'How far what it shows is behind.', examples: [90] }),
    order: Type.Integer({ description: 'Place in the list, from 1.', examples: [1] }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Channel', description: 'What the audience of a tournament watches.' },
)

export const ChannelListView = Type.Object(
  { channels: Type.Array(ChannelView), revision: Revision },
  { title: 'ChannelList' },
)

export function channelListView({ channels, revision }: ChannelList): Static<typeof ChannelListView> {
  return { channels: channels.map(channelView), revision }
}

function channelView({ guid, name, url, delaySeconds, position, createdAt, updatedAt }: Channel) {
  return {
    guid,
    name,
    url,
    delaySeconds,
    order: position + 1,
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}

/** A channel's queue in an answer. (S13) */
export const QueueView = Type.Object(
  {
    channel: Guid,
    entries: Type.Array(
      Type.Object({
        match: Type.Object({ guid: Guid, number: Type.Integer({ examples: [12] }) }),
        status: oneOf(queueStatuses),
        plannedAt: nullable(Instant),
      }),
    ),
    next: nullable(
      Type.Object({
        match: MatchView,
        flow: nullable(
          Type.Object({
            guid: nullable(Guid, 'null for a preset.'),
            name: Type.String({ examples: ['AccSaber best of 3'] }),
            ...flowMembers,
          }),
          'What the match is to be played by; null where nothing is planned.',
        ),
      }),
      'The match that is next, as everybody sees it, before it begins.',
    ),
    revision: Revision,
  },
  { title: 'ChannelQueue', description: 'Which matches a channel shows, in their order.' },
)
export type QueueView = Static<typeof QueueView>

/** Reads the queue as everybody sees it, as overlays show it to an audience. */
export async function readQueueView(db: Db, { guid, queueRevision }: Channel): Promise<QueueView> {
  const entries = await listEntries(db, [guid])
  const next = entries.find(({ status }) => status === 'next')
  return {
    channel: guid,
    entries: entries.map(({ matchGuid, matchNumber, status, plannedAt }) => ({
      match: { guid: matchGuid, number: matchNumber },
      status,
      plannedAt: formatInstant(plannedAt),
    })),
    next: next === undefined ? null : await readNext(db, next.matchGuid),
    revision: queueRevision,
  }
}

async function readNext(db: Db, matchGuid: string): Promise<QueueView['next']> {
  const record = await findMatch(db, matchGuid)
  if (record === undefined) return null
  const [match, planned] = await Promise.all([readMatchView(db, record, anonymous), findPlannedFlow(db, record)])
  const flow = planned === null ? null : { guid: planned.guid, name: planned.name, ...flowMembersOf(planned.flow) }
  return { match, flow }
}

/** The dependencies of a cached answer. All other changes touch the tournament anyway. */
export function dependenciesOf(tournamentGuid: string, { next }: QueueView): string[] {
  return dependenciesOfMatches(tournamentGuid, next === null ? [] : [next.match])
}
