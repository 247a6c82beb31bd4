import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import type { Slice } from '../../slice.ts'
import { forgetStreams } from './commands/forgetting.ts'
import { streamSessionsEvents } from './events.ts'
import { streamEnder } from './followers.ts'
import { streamSessionsDue, streamSessionsJobs, streamSessionsLeased } from './jobs.ts'
import { resolveStreamSession } from './resolve.ts'
import { hookOperations } from './routes/hooks.ts'
import { liveStreamsProfilePart, sessionsOperations } from './routes/sessions.ts'
import { streamsOperations, streamsTopics } from './routes/streams.ts'
import { forgetAddresses, streamSessionsSections } from './store/personal-data.ts'

export const streamSessions: Slice = {
  name: 'streamSessions',
  tags: {
    streams: 'Who is live, and where to watch.',
    streamSessions: 'Streams as media servers have them: let in, watched over, ended.',
  },
  operations: [...streamsOperations, ...sessionsOperations, ...hookOperations],
  ephemeral: streamsTopics,
  parameters: {
    streamSession: {
      description: 'GUID of a stream session, as the lists of sessions give it.',
      resolve: resolveStreamSession,
      problems: { 'stream_session.unknown': 'missing' },
    },
    mediaServer: { description: 'GUID of the media server, as its owners were given it.' },
  },
  profile: { liveStreams: liveStreamsProfilePart },
  events: streamSessionsEvents,
  followers: [streamEnder],
  jobs: streamSessionsJobs,
  due: streamSessionsDue,
  leased: streamSessionsLeased,
  personalData: declarePersonalData({ sections: streamSessionsSections, forget: [forgetStreams, forgetAddresses] }),
}
