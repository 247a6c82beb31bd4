import type { Slice } from '../../slice.ts'
import { resealServers } from './commands.ts'
import { streamServersConstraints } from './constraints.ts'
import { streamServersEvents } from './events.ts'
import { resolveStreamServer } from './resolve.ts'
import { streamServersOperations } from './routes.ts'

export const streamServers: Slice = {
  name: 'streamServers',
  tags: { streamServers: 'Media servers that users may publish to, for those who run the service.' },
  operations: streamServersOperations,
  reseal: resealServers,
  parameters: {
    streamServer: {
      description: 'GUID of a media server.',
      resolve: resolveStreamServer,
      problems: { 'stream_server.unknown': 'missing', 'role.missing': 'forbidden' },
    },
  },
  constraints: streamServersConstraints,
  events: streamServersEvents,
}
