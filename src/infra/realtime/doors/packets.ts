import { type Static, type TSchema, Type } from 'typebox'
import { invalid, missing } from '../../../core/problem.ts'
import { shapeOf } from '../../../core/shape.ts'

/** Packets of the socket, in both directions; the documentation is generated from them. (realtime: Packets) */

export const protocol = 'downbeat.v1'

/** Characters, as code points. */
const maxOfId = 64
const Id = Type.Union([Type.String({ maxLength: maxOfId }), Type.Integer()], {
  description: 'Chosen by the client; comes back in the answer.',
})
const id = Type.Optional(Id)
const Topic = Type.String({ maxLength: 500, examples: ['/tournaments/spring-cup/matches'] })
const Position = Type.String({
  description: 'Opaque; compared for equality alone.',
  examples: ['Jm1nBxY2C0S0y0x7p3mW8A'],
})
const Etag = Type.String({ examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] })

/** A boolean, or 1 or 0, as in topic names; `readPacket` converts it to a boolean. (D83) */
const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean>({ anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }], description }))
const flags = ['facts', 'delayed', 'replace'] as const

const base64 = '^[A-Za-z0-9+/]*={0,2}$'

/** Packets from the client. */
export const incoming = {
  authenticate: Type.Object({
    type: Type.Literal('authenticate'),
    id,
    token: Type.Optional(Type.String({ maxLength: 8_200, description: 'Access token, with or without `Bearer `.' })),
    ticket: Type.Optional(Type.String({ maxLength: 64, description: 'Of `POST /realtime/tickets`.' })),
    viewToken: Type.Optional(
      Type.String({ maxLength: 64, description: 'Of an overlay, which is all that is seen with it then.' }),
    ),
  }),
  subscribe: Type.Object({
    type: Type.Literal('subscribe'),
    id,
    topic: Topic,
    since: Type.Optional(Type.String({ maxLength: 64, description: 'Position of the last packet that came.' })),
    etag: Type.Optional(Type.String({ maxLength: 64, description: 'Of the state that is held.' })),
    facts: flag('Tell of what happened, too.'),
    rate: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        default: 4,
        description: 'Packets a second at most, of ephemeral topics.',
      }),
    ),
    delayed: flag('As viewers of a stream that is behind see it; of topics that tell of results.'),
    generation: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the document that is held.' })),
    vector: Type.Optional(
      Type.String({
        maxLength: 90_000,
        pattern: base64,
        description: 'State vector of the document that is held, as base64: only what it lacks is sent.',
      }),
    ),
    replace: flag('In place of a subscription that there is.'),
  }),
  unsubscribe: Type.Object({ type: Type.Literal('unsubscribe'), id, topic: Topic }),
  command: Type.Object({
    type: Type.Literal('command'),
    id,
    name: Type.String({ maxLength: 64, examples: ['matches.start'] }),
    params: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]))),
    query: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    body: Type.Optional(Type.Unknown()),
    key: Type.Optional(
      Type.String({ maxLength: 64, description: 'As the header Idempotency-Key: what is sent again is done once.' }),
    ),
    ifMatch: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  publish: Type.Object({
    type: Type.Literal('publish'),
    id,
    topic: Topic,
    key: Type.String({
      maxLength: 100,
      description: 'One that the topic has; `connection` stands for the connection’s own.',
      examples: ['connection'],
    }),
    value: Type.Unknown({ description: 'What holds from now on; null takes the key away.' }),
    seq: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Higher than any before: an older value of a key never replaces a newer one of the same writer.',
    }),
  }),
  update: Type.Object({
    type: Type.Literal('update'),
    id,
    topic: Topic,
    data: Type.String({ pattern: base64, description: 'Yjs update, format V1, as base64; at most 64 KiB decoded.' }),
    seq: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Chosen by the client; comes back in `accepted`.',
    }),
  }),
  ping: Type.Object({ type: Type.Literal('ping'), id, at: Type.Optional(Type.Number()) }),
} as const

export type Incoming = { [Name in keyof typeof incoming]: Static<(typeof incoming)[Name]> }[keyof typeof incoming]
export type Packet<Type extends Incoming['type']> = Extract<Incoming, { readonly type: Type }>
type IncomingType = keyof typeof incoming

const Instant = Type.String({ format: 'date-time' })

const Fact = Type.Object(
  {
    id: Type.String({ description: 'The same however often it is told.' }),
    type: Type.String({ examples: ['match.completed'] }),
    subject: Type.Object({
      kind: Type.Union([Type.String(), Type.Null()]),
      guid: Type.Union([Type.String(), Type.Null()]),
    }),
    at: Instant,
    changed: Type.Array(Type.String(), { description: 'Names of the members that have changed.' }),
    by: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'For the staff: GUID of who did it.' })),
    before: Type.Optional(Type.Unknown()),
    after: Type.Optional(Type.Unknown()),
  },
  { title: 'Fact' },
)
const facts = Type.Optional(Type.Array(Fact))

const PatchOperation = Type.Object({
  op: Type.Union([Type.Literal('add'), Type.Literal('remove'), Type.Literal('replace')]),
  path: Type.String(),
  value: Type.Optional(Type.Unknown()),
})

export const Limits = Type.Object({
  subscriptions: Type.Integer(),
  packetBytes: Type.Integer(),
  packetsPerSecond: Type.Integer(),
  publishPerSecond: Type.Integer(),
})

/** The body of a document's snapshot. */
export const DocumentBody = Type.Object(
  {
    generation: Type.Integer({
      description: 'Another one than the one held: the document was made anew, and edits of the old one do not fit.',
    }),
    update: Type.String({ description: 'Yjs update, format V1, as base64: what is lacked.' }),
    vector: Type.String({ description: 'State vector of the service, as base64: what it lacks is to be sent.' }),
    clientId: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id to write by from now on, good for a day; null for whoever reads only.',
    }),
    readOnly: Type.Boolean(),
    revision: Type.Integer(),
  },
  { title: 'DocumentSnapshot' },
)

const resync = Type.Optional(
  Type.Object(
    { reason: Type.Union([Type.Literal('expired'), Type.Literal('too_many'), Type.Literal('unknown')]) },
    { description: 'Why facts since the position that was named are not told.' },
  ),
)

/** Packets from the service. */
export const outgoing = {
  hello: Type.Object({
    type: Type.Literal('hello'),
    connection: Type.String(),
    protocol: Type.Literal(protocol),
    serverTime: Instant,
    heartbeatMs: Type.Integer(),
    limits: Limits,
  }),
  authenticated: Type.Object({
    type: Type.Literal('authenticated'),
    id,
    user: Type.Union([Type.Unknown(), Type.Null()], { description: 'A UserCard.' }),
    scopes: Type.Array(Type.String()),
    expiresAt: Type.Union([Instant, Type.Null()], { description: 'null for a view token that does not expire.' }),
    limits: Limits,
    overlay: Type.Optional(
      Type.Object(
        { guid: Type.String(), tournament: Type.Object({ guid: Type.String(), id: Type.String() }) },
        { description: 'What a view token shows.' },
      ),
    ),
  }),
  snapshot: Type.Object({
    type: Type.Literal('snapshot'),
    id,
    topic: Topic,
    position: Type.Optional(Position),
    etag: Type.Optional(Etag),
    facts,
    resync,
    delayedBy: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of what was asked for as `delayed`: seconds by which it is late.' }),
    ),
    body: Type.Unknown({ description: 'What a GET answers; of a document, what is lacked of it.' }),
    since: Type.Optional(Type.String()),
  }),
  resumed: Type.Object({
    type: Type.Literal('resumed'),
    id,
    topic: Topic,
    position: Position,
    etag: Etag,
    since: Type.Optional(Type.String()),
  }),
  event: Type.Object({
    type: Type.Literal('event'),
    topic: Topic,
    after: Type.String({ description: 'The position before: whoever stands elsewhere subscribes again.' }),
    position: Position,
    etag: Etag,
    at: Instant,
    patch: Type.Array(PatchOperation, { description: 'RFC 6902.' }),
    facts,
    since: Type.Optional(Type.String()),
  }),
  state: Type.Object({
    type: Type.Literal('state'),
    id,
    topic: Topic,
    states: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The newest value of each key that has changed.',
    }),
    gone: Type.Array(Type.String(), { description: 'Keys that have no value any more.' }),
    full: Type.Boolean({ description: 'Whether these are all keys that have a value.' }),
    since: Type.Optional(Type.String()),
  }),
  accepted: Type.Object({
    type: Type.Literal('accepted'),
    id,
    topic: Topic,
    seq: Type.Integer(),
    revision: Type.Integer(),
  }),
  /** Separate, because it has the same type name as a packet of the client. */
  updated: Type.Object({
    type: Type.Literal('update'),
    topic: Topic,
    data: Type.String({ description: 'Yjs update, format V1, as base64.' }),
    revision: Type.Integer(),
    by: Type.Union([Type.String(), Type.Null()], {
      description: 'The connection that it came over; null for what the service did.',
    }),
  }),
  result: Type.Object({
    type: Type.Literal('result'),
    id,
    status: Type.Integer(),
    body: Type.Unknown(),
    revision: Type.Optional(Type.Integer()),
    replayed: Type.Boolean({ description: 'Whether it had been carried out before, by the same key.' }),
    behind: Type.Optional(Type.Literal(true, { description: 'Packets of what it changed may still come.' })),
  }),
  error: Type.Object({
    type: Type.Literal('error'),
    id,
    status: Type.Integer(),
    code: Type.String({ examples: ['topic.unknown'] }),
    message: Type.String(),
    data: Type.Optional(Type.Unknown()),
    retryAfterMs: Type.Optional(Type.Integer()),
  }),
  ended: Type.Object({
    type: Type.Literal('ended'),
    id,
    topic: Topic,
    reason: Type.Union(
      (['unsubscribed', 'forbidden', 'gone', 'invalid', 'too_large'] as const).map((word) => Type.Literal(word)),
    ),
    since: Type.Optional(Type.String()),
  }),
  pong: Type.Object({
    type: Type.Literal('pong'),
    id,
    at: Type.Optional(Type.Number()),
    serverTime: Instant,
  }),
  draining: Type.Object({
    type: Type.Literal('draining'),
    reconnectInMs: Type.Integer(),
    closesInMs: Type.Integer(),
  }),
  closing: Type.Object({
    type: Type.Literal('closing'),
    code: Type.Integer(),
    reason: Type.String(),
    since: Type.Optional(Type.String()),
  }),
} as const

const checks = new Map(Object.entries(incoming).map(([type, schema]: [string, TSchema]) => [type, shapeOf(schema)]))

/**
 * A checked packet of the client.
 * @throws Problem `packet.unknown`, `packet.invalid`
 */
export function readPacket(value: Readonly<Record<string, unknown>>): Incoming {
  const { type } = value
  const check = typeof type === 'string' ? checks.get(type as IncomingType) : undefined
  if (check === undefined) throw missing('packet.unknown', 'There is no packet of this type.')
  if (!check.check(value)) {
    const [fault] = check.errors(value)
    const member = fault?.instancePath.split('/')[1] ?? fault?.instancePath
    throw invalid(
      'packet.invalid',
      member
        ? `The packet's member "${member.slice(0, 60)}" does not have the documented form.`
        : 'The packet lacks a member.',
    )
  }
  if (isDeep(value)) throw invalid('packet.invalid', `The packet is nested deeper than ${maxLevels} levels.`)
  return withFlags(value) as Incoming
}

function withFlags(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (value.type !== 'subscribe') return value
  const given = flags.filter((name) => typeof value[name] === 'number')
  return { ...value, ...Object.fromEntries(given.map((name) => [name, value[name] === 1])) }
}

/** Deeper than any body; values nested by the thousand could not even be serialised again. */
const maxLevels = 64

function isDeep(value: unknown): boolean {
  const open = [{ value, level: 0 }]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each.value !== 'object' || each.value === null) continue
    const level = each.level + 1
    if (level > maxLevels) return true
    for (const member of Object.values(each.value)) open.push({ value: member, level })
  }
  return false
}

/** The packet's id for the answer, if it is valid. */
export function idOf({ id: given }: Readonly<Record<string, unknown>>): string | number | undefined {
  if (typeof given === 'string' && given.length <= 2 * maxOfId && [...given].length <= maxOfId) return given
  return Number.isSafeInteger(given) ? (given as number) : undefined
}

/** The part of a packet that is kept until the packet is refused. */
export function stubOf({ type, id }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type, id }
}

export function withId({ id }: { readonly id?: string | number | undefined }): { readonly id?: string | number } {
  return id === undefined ? {} : { id }
}

/** A message as a JSON object; null for any other. */
export function parsePacket(data: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
