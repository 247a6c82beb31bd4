import { Type } from 'typebox'
import { anyone, everybody } from '../../../core/actor.ts'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import { ChannelsBody, QueueBody } from './bodies.ts'
import { replaceChannels, replaceQueue } from './commands.ts'
import { channelKeepers, queueKeepers } from './policy.ts'
import { readList } from './store.ts'
import { ChannelListView, channelListView, dependenciesOf, QueueView, readQueueView } from './views.ts'

const path = `${tournamentPath}/channels` as const
const queuePath = `${path}/:channel/queue` as const

const list = query({
  name: 'channels.list',
  method: 'GET',
  path,
  scope: 'public',
  allow: anyone,
  summary: 'The channels on which the audience watches the tournament, in their order.',
  description:
    'With how far each is behind the matches that it shows, and the revision that a change of the list names.',
  reply: { 200: ChannelListView },
  audience: everybody,
  live: { sends: ['channels.replaced'] },
  run: async ({ db, tournament, depends }) => {
    depends(tournament.guid)
    return channelListView(await readList(db, tournament.guid))
  },
})

const replace = command({
  name: 'channels.replace',
  method: 'PUT',
  path,
  scope: 'rest:write',
  allow: channelKeepers,
  inRehearsals: true,
  summary: 'Replace the channels of the tournament as a whole.',
  description:
    'Channels with a GUID are updated, those without are created, and those left out are deleted with their queues, in one step; the order of the list is theirs. A list that was made for an older `revision` is refused, with the list as it is. Where the address of a channel changes, the matches in its queue that are not over get the new one.',
  body: ChannelsBody,
  reply: { 200: ChannelListView },
  refusals: { 409: Type.Object({ message: Type.String(), present: Type.Optional(ChannelListView) }) },
  problems: {
    'channel.unknown': 400,
    'channel.twice': 400,
    'channel.invalid': 400,
    'channel.stale': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, body, now }) =>
    channelListView(await replaceChannels(tx, actor, tournament, body, now)),
})

const readQueue = query({
  name: 'channels.readQueue',
  method: 'GET',
  path: queuePath,
  scope: 'public',
  allow: anyone,
  summary: 'Which matches a channel shows, with all that everybody may know of the next one.',
  description:
    'It follows the matches: one that begins becomes `live`, unless another runs that is, and one that is over `done`.',
  reply: { 200: QueueView },
  audience: everybody,
  live: { sends: ['channel.queue_changed'] },
  run: async ({ db, tournament, channel, depends }) => {
    const view = await readQueueView(db, channel)
    depends(channel.guid, ...dependenciesOf(tournament.guid, view))
    return view
  },
})

const replaceQueueOf = command({
  name: 'channels.replaceQueue',
  method: 'PUT',
  path: queuePath,
  scope: 'rest:write',
  socket: true,
  allow: queueKeepers,
  inRehearsals: true,
  summary: 'Replace the queue of a channel as a whole.',
  description:
    'Every match once, one `live` at most and one `next`; a match stands in the queue of one channel alone, whose address becomes its `streamUrl`. Matches that are over are `done` whatever is said of them, and where none is live the first that runs is, unless it is said to be `done`. A queue that was made for an older `revision` is refused, with the queue as it is.',
  body: QueueBody,
  reply: { 200: QueueView },
  refusals: { 409: Type.Object({ message: Type.String(), present: Type.Optional(QueueView) }) },
  problems: {
    'queue.invalid': 400,
    'queue.stale': 409,
    'queue.match_elsewhere': 409,
    'match.unknown': 404,
    'match.ambiguous': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, channel, body, now }) =>
    readQueueView(tx, await replaceQueue(tx, actor, tournament, channel, body, now)),
})

export const channelsOperations = [list, replace, readQueue, replaceQueueOf]
