import type { Static, TObject } from 'typebox'
import { incoming, outgoing, protocol } from '../doors/packets.ts'

/** What each packet is for, with an example: for the description and the reference, which tell the members by the schemas. */

type Incoming = typeof incoming
type Outgoing = typeof outgoing
export type IncomingType = keyof Incoming
export type OutgoingType = keyof Outgoing

type MemberWords = Readonly<Record<string, string>>

interface IncomingWords<Type extends IncomingType> {
  readonly summary: string
  /** What may answer it; an `error` always may. */
  readonly answers: readonly OutgoingType[]
  readonly members?: MemberWords
  readonly example: Static<Incoming[Type]>
}

interface OutgoingWords<Type extends OutgoingType> {
  readonly summary: string
  /** Where it is sent; everywhere unless told. */
  readonly door?: 'socket' | 'stream'
  /** It comes without being asked for, and is of no read. */
  readonly isUnasked?: true
  readonly members?: MemberWords
  readonly example: Static<Outgoing[Type]>
}

const topic = '/tournaments/spring-cup/matches/1'
const position = 'Jm1nBxY2C0S0y0x7p3mW8A'
const after = 'p9Zq2kQnT5u1sVb3cD4eFg'
const etag = '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
const at = '2026-05-01T18:00:00.000Z'
const anonymousLimits = { subscriptions: 20, packetBytes: 8_192, packetsPerSecond: 5, publishPerSecond: 0 }
const userLimits = { subscriptions: 50, packetBytes: 65_536, packetsPerSecond: 20, publishPerSecond: 30 }
const record = '9b2a7f64-1c0d-4e7e-8f0a-52d6c3b18e07'
const document = `/tournaments/spring-cup/overlays/${record}/scene`

export const incomingWords: { readonly [Type in IncomingType]: IncomingWords<Type> } = {
  authenticate: {
    summary:
      'Says who you are, by a token or a ticket, or which overlay you show, by its view token; not needed where the handshake has said it. Sent again with a newer token of the same user, it keeps the connection open beyond the first one’s end.',
    answers: ['authenticated'],
    example: { type: 'authenticate', id: 1, token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  },
  subscribe: {
    summary:
      'Follows a topic. With the position and the ETag that you hold, only what you lack is sent: `resumed` and the packets since, or a `snapshot`.',
    answers: ['snapshot', 'resumed', 'state'],
    example: { type: 'subscribe', id: 2, topic, facts: true },
  },
  unsubscribe: {
    summary: 'Stops following a topic, by the name that its packets have.',
    answers: ['ended'],
    example: { type: 'unsubscribe', id: 3, topic: `${topic}?facts=1` },
  },
  command: {
    summary:
      'Changes something, as the REST operation of that name does: with its parameters, its rights and its refusals. Answered exactly once. Refused where a ticket for some topics has opened the connection.',
    answers: ['result'],
    example: {
      type: 'command',
      id: 4,
      name: 'matches.start',
      params: { tournament: 'spring-cup', match: '1' },
      query: { division: 'main' },
      key: 'start-1',
    },
  },
  publish: {
    summary:
      'Tells the newest value of a key of an ephemeral topic, such as a score in a running match. It is kept nowhere, and goes by itself unless it is told again. Answered by refusals alone.',
    answers: [],
    example: { type: 'publish', topic: `${topic}/live`, key: 'session', value: { phase: 'playing' }, seq: 17 },
  },
  update: {
    summary:
      'Changes a document that you follow. It counts once `accepted` has come: keep it until then, and send it again after a break. One that no editor of such documents makes ends the topic, as `invalid`.',
    answers: ['accepted'],
    example: { type: 'update', id: 6, topic: document, data: 'AAA=', seq: 12 },
  },
  ping: {
    summary: 'Asks for a sign of life, and for the time of the service.',
    answers: ['pong'],
    members: { at: 'Any number; comes back in the answer.' },
    example: { type: 'ping', id: 5, at: 1_777_658_400_000 },
  },
}

export const outgoingWords: { readonly [Type in OutgoingType]: OutgoingWords<Type> } = {
  hello: {
    summary: 'The first packet of a connection: what it may do.',
    door: 'socket',
    isUnasked: true,
    example: {
      type: 'hello',
      connection: 'c2b1a7de-6f3b-4d1c-9a0e-1f2d3c4b5a69',
      protocol,
      serverTime: at,
      heartbeatMs: 25_000,
      limits: anonymousLimits,
    },
  },
  authenticated: {
    summary:
      'You are known now, until the token expires; the limits are those of a user. With a view token there is no user, but the overlay that it shows, and the limits are as before.',
    door: 'socket',
    example: {
      type: 'authenticated',
      id: 1,
      user: null,
      scopes: ['ws:read', 'ws:write'],
      expiresAt: '2026-06-30T18:00:00.000Z',
      limits: userLimits,
    },
  },
  snapshot: {
    summary: 'A topic as a whole: its body is what a GET answers. Put it in place of what you hold.',
    example: { type: 'snapshot', id: 2, topic: `${topic}?facts=1`, position, etag, body: { status: 'ready' } },
  },
  resumed: {
    summary: 'What you hold is still right, at the position that you named. Packets since then follow.',
    example: { type: 'resumed', id: 2, topic: `${topic}?facts=1`, position, etag },
  },
  event: {
    summary:
      'A topic has changed: apply the patch to what you hold. It follows the position `after`; whoever stands elsewhere subscribes again.',
    example: {
      type: 'event',
      topic: `${topic}?facts=1`,
      after,
      position,
      etag,
      at,
      patch: [{ op: 'replace', path: '/status', value: 'running' }],
      facts: [
        {
          id: 'mO2r7uY4T1a9Qw8eR5tZ6A',
          type: 'match.started',
          subject: { kind: 'match', guid: record },
          at,
          changed: ['status', 'startedAt'],
        },
      ],
    },
  },
  state: {
    summary:
      'Newest values of an ephemeral topic: all of them at first, then those that have changed. Older ones that you missed do not matter.',
    isUnasked: true,
    example: {
      type: 'state',
      topic: `${topic}/live`,
      states: { session: { phase: 'playing' } },
      gone: [],
      full: true,
    },
  },
  accepted: {
    summary: 'An update is stored for good, and others have it or are about to.',
    door: 'socket',
    members: { seq: 'Of the update.', revision: 'Of the document with it.' },
    example: { type: 'accepted', id: 6, topic: document, seq: 12, revision: 40 },
  },
  updated: {
    summary:
      'Somebody else has changed a document that you follow: apply it to yours. In whatever order, the outcome is the same.',
    door: 'socket',
    isUnasked: true,
    members: { revision: 'Of the document with it.' },
    example: { type: 'update', topic: document, data: 'AAA=', revision: 40, by: record },
  },
  result: {
    summary: 'A command is done: the status and the body that REST answers. It comes after the packets that it caused.',
    door: 'socket',
    example: { type: 'result', id: 4, status: 200, body: { status: 'running' }, revision: 7, replayed: false },
  },
  error: {
    summary: 'What was asked for is refused, with the status, the code and the sentence that REST answers.',
    door: 'socket',
    example: { type: 'error', id: 2, status: 404, code: 'topic.unknown', message: 'There is no such topic.' },
  },
  ended: {
    summary:
      'A topic is not followed any more, because you asked for that, or because it is not there, or not there for you.',
    // The schema lists the reasons; its static type does not know them.
    example: { type: 'ended', topic: `${topic}?facts=1`, reason: 'gone' as never },
  },
  pong: {
    summary: 'The answer to a `ping`.',
    door: 'socket',
    members: { at: 'As it was asked.' },
    example: { type: 'pong', id: 5, at: 1_777_658_400_000, serverTime: at },
  },
  draining: {
    summary: 'The service is about to restart: connect again after that many milliseconds, and resume.',
    door: 'socket',
    isUnasked: true,
    example: { type: 'draining', reconnectInMs: 2_400, closesInMs: 1_800 },
  },
  closing: {
    summary: 'The last packet of a stream that the service ends, with the code with which it would close a socket.',
    door: 'stream',
    example: { type: 'closing', code: 4_000, reason: 'The service restarts; connect again.' },
  },
}

export const incomingTypes = Object.keys(incoming) as readonly IncomingType[]
export const outgoingTypes = Object.keys(outgoing) as readonly OutgoingType[]

export function sentBy(door: 'socket' | 'stream'): OutgoingType[] {
  return outgoingTypes.filter((type) => (outgoingWords[type].door ?? door) === door)
}

/** Of members that mean the same in every packet, and that their schemas do not describe. */
const memberWords: MemberWords = {
  topic: 'Its name; in answers in one spelling, with options such as `facts=1` behind it.',
  etag: 'The ETag that a GET of it has now.',
  at: 'When the change was told.',
  since: 'Streams alone: where you stand once this packet is applied.',
  facts: 'What happened, for who asked for it.',
  connection: 'Names the connection, to the service alone.',
  protocol: 'The subprotocol.',
  serverTime: 'Instant by the clock of the service.',
  heartbeatMs: 'About so often the service sends a ping.',
  limits: 'What the connection may do.',
  scopes: 'What the token holds.',
  expiresAt: 'Until when it is good; the connection closes then.',
  name: 'Of the operation.',
  params: 'What stands in braces in its address, by name.',
  query: 'Members of its query.',
  body: 'As it is in REST.',
  ifMatch: 'As the header `If-Match`, where the operation takes it.',
  status: 'As it is in REST.',
  revision: 'Of the record, where it has one.',
  code: 'Stable; see the list of them.',
  message: 'One sentence that says what to fix.',
  data: 'More, where the operation tells more.',
  retryAfterMs: 'When to try again.',
  reason: 'Why.',
  reconnectInMs: 'When to connect again.',
  closesInMs: 'When this connection closes.',
}

/** The packet as it is described: every member with words. */
export function packetSchema(type: IncomingType | OutgoingType): TObject {
  const schema: TObject = type in incoming ? incoming[type as IncomingType] : outgoing[type as OutgoingType]
  const { members = {} } = type in incoming ? incomingWords[type as IncomingType] : outgoingWords[type as OutgoingType]
  const properties = Object.entries(schema.properties).map(([name, member]) => {
    const description = members[name] ?? (member as { description?: string }).description ?? memberWords[name]
    return [name, description === undefined ? member : { ...member, description }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** The member `type` of a packet: two packets of the same type go in the two directions. */
export function wireTypeOf(type: IncomingType | OutgoingType): string {
  const schema: TObject = type in incoming ? incoming[type as IncomingType] : outgoing[type as OutgoingType]
  return (schema.properties.type as unknown as { readonly const: string }).const
}
