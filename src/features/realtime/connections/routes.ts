import { type Static, Type } from 'typebox'
import { signedIn } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { type HeldConnection, listConnectionsOf } from '../../../infra/realtime/store/connections.ts'
import { closeConnection, makeTicket } from './commands.ts'

const ConnectionView = Type.Object(
  {
    guid: Guid,
    door: oneOf(['socket', 'sse', 'ndjson'], { description: 'How it is connected.' }),
    application: nullable(Type.String(), 'Client id of the application that acts for the user; null for none.'),
    connectedAt: Instant,
    address: Type.String({ description: 'Network address that it came from.', examples: ['203.0.113.7'] }),
    subscriptions: Type.Integer({ description: 'How many topics it follows.' }),
  },
  { title: 'Connection' },
)

function connectionView(held: HeldConnection): Static<typeof ConnectionView> {
  const { guid, door, clientId, connectedAt, address, subscriptions } = held
  return {
    guid,
    address,
    subscriptions,
    application: clientId,
    connectedAt: formatInstant(connectedAt),
    door: door as Static<typeof ConnectionView>['door'],
  }
}

const maxListed = 1_000

const list = query({
  name: 'realtime.connections',
  method: 'GET',
  path: '/realtime/connections',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The signed-in user’s open sockets and streams, newest first.',
  description: 'Known within a few seconds, whichever process holds them.',
  reply: { 200: Type.Array(ConnectionView) },
  run: async ({ db, actor }) => (await listConnectionsOf(db, actor.guid, maxListed)).map(connectionView),
})

const close = command({
  name: 'realtime.close',
  method: 'DELETE',
  path: '/realtime/connections/:connection',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Close one of the signed-in user’s sockets or streams.',
  description:
    'Its token stays good: end the sign-in, or what was granted to an application, to keep it from coming back.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'connection.unknown': 404 },
  run: async ({ tx, actor, connection }) => {
    await closeConnection(tx, actor, connection)
    return new Answer(204)
  },
})

const ticket = command({
  name: 'realtime.ticket',
  returnsSecret: true,
  method: 'POST',
  path: '/realtime/tickets',
  scope: 'ws:read',
  budget: 'ticket',
  allow: signedIn,
  summary: 'Make a ticket to connect with, for clients that can set no header.',
  description:
    'Good once, for half a minute, for a socket or a stream, as `?ticket=`. What comes of it may do what the token may that asked for it, and ends with that token; where it names topics, it may follow these and no more: commands are refused.',
  bodyOptional: true,
  body: Type.Object({
    topics: Type.Optional(
      Type.Array(Type.String({ maxLength: 500, examples: ['/tournaments/spring-cup/matches'] }), {
        maxItems: 20,
        description: 'What alone may be followed with it, without commands; anything unless given.',
      }),
    ),
  }),
  reply: { 201: Type.Object({ ticket: Type.String(), expiresAt: Instant }) },
  problems: { 'topic.unknown': 404, 'topic.invalid': 400 },
  run: async ({ tx, actor, body, services, now }) => {
    const topics = body?.topics?.map((name) => services.realtime.read(name).name) ?? null
    const made = await makeTicket(tx, actor, topics, now)
    return { ticket: made.ticket, expiresAt: formatInstant(made.expiresAt) }
  },
})

export const connectionsOperations = [list, close, ticket]
