import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { query, tournamentPath } from '../../../../core/operation.ts'
import { ephemeral, expiry } from '../../../../infra/realtime/ephemeral/topic.ts'
import { anyStaff, isAnyStaff, staffAudience } from '../../../tournaments/access/policy.ts'
import { readStreams, readUserStream } from '../queries.ts'
import { StreamList, UserStreamView, userStreamView } from '../views.ts'

const streamsPath = `${tournamentPath}/streams` as const

const list = query({
  name: 'streams.list',
  method: 'GET',
  path: streamsPath,
  scope: 'public',
  allow: anyone,
  summary: 'Whose streams the tournament shows, who of them is live, and where to watch.',
  description:
    'Those whose assignments are not over, in the order of their begin, the first 500 of them. Tests are shown to staff alone; how well a stream comes in is told by the topic `…/streams/health` and by the sessions.',
  reply: { 200: StreamList },
  audience: staffAudience,
  live: { sends: ['stream.online', 'stream.offline', 'assignment.changed'] },
  run: async ({ db, actor, tournament, services, depends }) => {
    const around = { isStaff: isAnyStaff(actor), publicUrl: services.config.publicUrl }
    return { streams: await readStreams(db, tournament.guid, around, depends) }
  },
})

const ofUser = query({
  name: 'streams.readOfUser',
  method: 'GET',
  path: '/users/:user/stream',
  scope: 'public',
  allow: anyone,
  summary: 'Whether a user is live, and where to watch.',
  description: 'Tests are not shown.',
  reply: { 200: UserStreamView },
  audience: everybody,
  run: async ({ db, user, depends }) => userStreamView(await readUserStream(db, user.guid, depends)),
})

const Measure = Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()]))

const Health = Type.Object(
  { width: Measure, height: Measure, fps: Measure, videoKbps: Measure, audioKbps: Measure, readers: Measure },
  { title: 'LiveStreamHealth' },
)

/** The quality of the streams as a live topic for staff. (RT21) */
const health = ephemeral({
  path: `${streamsPath}/health`,
  summary: 'How well the streams of a tournament come in, as their servers say every 15 seconds.',
  follows: 'streams.list',
  reads: anyStaff,
  keys: [
    {
      form: 'session:{streamSession}',
      description: 'What the server says of the stream of a session.',
      schema: Health,
      writes: () => null,
      stamp: ({ at }) => ({ at }),
    },
  ],
  expiresMs: expiry.presence,
})

export const streamsOperations = [list, ofUser]
export const streamsTopics = [health]
