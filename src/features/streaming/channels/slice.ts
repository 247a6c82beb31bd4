import type { Slice } from '../../slice.ts'
import { channelsConstraints } from './constraints.ts'
import { channelsEvents } from './events.ts'
import { queueFollower } from './followers.ts'
import { resolveChannel } from './resolve.ts'
import { channelsOperations } from './routes.ts'

export const channels: Slice = {
  name: 'channels',
  tags: { channels: 'What the audience of a tournament watches, and which matches are shown there.' },
  operations: channelsOperations,
  parameters: {
    channel: {
      description: 'GUID of a channel of the tournament.',
      resolve: resolveChannel,
      problems: { 'channel.unknown': 'missing' },
    },
  },
  constraints: channelsConstraints,
  events: channelsEvents,
  followers: [queueFollower],
}
