import { Type } from 'typebox'
import { normaliseGuid } from '../../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import { Guid, nullable, PageQuery } from '../../../../core/schema.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import type { ProfilePart } from '../../../people/users/rules/profile-parts.ts'
import { anyStaff } from '../../../tournaments/access/policy.ts'
import { cutStream } from '../commands/cutting.ts'
import { cutters } from '../policy.ts'
import { readSessions } from '../queries.ts'
import { listLive } from '../store/sessions.ts'
import { SessionPage } from '../views.ts'

/** Administrators see how many streams a ban would cut. (D24, S11) */
export const liveStreamsProfilePart: ProfilePart = {
  shownTo: ['administrators'],
  schema: Type.Integer({ description: 'Streams of the user that are live now. A ban cuts them.', examples: [0] }),
  load: async (db, { guid }) => (await listLive(db, { user: guid })).length,
}

const sessionsPath = `${tournamentPath}/streamSessions` as const

const Filter = {
  user: Type.Optional({ ...Guid, description: 'Only those of the user with this GUID.' }),
  live: Type.Optional(Type.Boolean({ description: 'Only those that are live, or only those that have ended.' })),
  ...PageQuery,
}

interface Narrowed {
  readonly user?: string
  readonly live?: boolean
}

function filterOf({ user, live }: Narrowed) {
  return { userGuid: user === undefined ? undefined : normaliseGuid(user), isLive: live }
}

const list = query({
  name: 'streamSessions.list',
  method: 'GET',
  path: sessionsPath,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'Streams that were published for a tournament, newest first.',
  description:
    'With what their servers last said of those that are live, and with what has become of those that were cut. The addresses of publishers are told to owners and developers alone, for 30 days.',
  query: Type.Object(Filter),
  reply: { 200: SessionPage },
  run: ({ db, actor, tournament, query: { limit, before, ...narrowed } }) => {
    const filter = { tournamentGuid: tournament.guid, ...filterOf(narrowed) }
    return readSessions(db, filter, { limit, before }, ownersAndDevelopers.allows(actor, {}))
  },
})

const CutBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 300, description: 'For the user.', examples: ['Wrong account.'] }) },
  { examples: [{ reason: 'Wrong account.' }] },
)

const cutWords = {
  summary: 'End a stream that is live, with a reason for its user.',
  description:
    'It is over at once for whoever watches here; the server is asked to end the connection within seconds. Whoever publishes is told the reason.',
  body: CutBody,
  reply: { 202: nullable(Type.String()) },
  problems: { 'stream_session.not_live': 409 },
} as const

const cut = command({
  name: 'streamSessions.cut',
  method: 'POST',
  path: `${sessionsPath}/:streamSession/cut`,
  scope: 'rest:write',
  allow: cutters,
  ...cutWords,
  async run({ tx, actor, streamSession, body, now }) {
    await cutStream(tx, actor, streamSession, body.reason, now)
    return null
  },
})

const listAll = query({
  name: 'admin.listStreamSessions',
  method: 'GET',
  path: '/admin/streamSessions',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'Streams that were published, tests among them, newest first.',
  description: 'Of all users and on all servers, with the addresses that they came from in the last 30 days.',
  query: Type.Object({
    ...Filter,
    test: Type.Optional(Type.Boolean({ description: 'Only tests, or only those that are none.' })),
  }),
  reply: { 200: SessionPage },
  run: ({ db, query: { limit, before, test, ...narrowed } }) =>
    readSessions(db, { ...filterOf(narrowed), test }, { limit, before }, true),
})

const cutAny = command({
  name: 'admin.cutStream',
  method: 'POST',
  path: '/admin/streamSessions/:streamSession/cut',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  ...cutWords,
  async run({ tx, actor, streamSession, body, now }) {
    await cutStream(tx, actor, streamSession, body.reason, now)
    return null
  },
})

export const sessionsOperations = [list, cut, listAll, cutAny]
