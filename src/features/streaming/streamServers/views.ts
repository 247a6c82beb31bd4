import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { serverKinds, streamProtocols } from '../../../infra/clients/media-servers/types.ts'
import { configured } from './rules/servers.ts'
import type { StreamServer } from './types.ts'

const Address = nullable(Type.String({ examples: ['https://live.example.org/hls/{path}/index.m3u8'] }))

/** A server as owners and developers see it; it never contains a secret. (streaming: Records) */
export const StreamServerView = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Stockholm'] }),
    kind: oneOf(serverKinds),
    enabled: Type.Boolean({ description: 'Whether anybody may publish to it.' }),
    assignmentRequired: Type.Boolean({ description: 'Whether whoever has no assignment in force may only test.' }),
    ingest: Type.Array(
      Type.Object({
        protocol: oneOf(streamProtocols),
        url: Type.String({ examples: ['rtmp://live.example.org/live'] }),
      }),
      { description: 'Where encoders send to.' },
    ),
    play: Type.Object(
      { whep: Address, llhls: Address, hls: Address },
      { description: 'Where streams are watched, with `{path}` for the path of the stream.' },
    ),
    control: nullable(
      Type.Object(
        {
          url: Type.String({ examples: ['http://10.0.0.5:9997'] }),
          user: nullable(Type.String()),
          password: nullable(Type.String(), `\`${configured}\` where there is one.`),
          vhost: nullable(Type.String()),
          app: nullable(Type.String()),
        },
        { title: 'StreamServerControl', description: 'Where the server itself is asked and told.' },
      ),
    ),
    networks: Type.Array(Type.String({ examples: ['203.0.113.0/24'] }), {
      description: 'Where the server may ask from; empty for anywhere.',
    }),
    previousSecretUntil: nullable(Instant, 'Until when the secret before counts too, after a rotation with a grace.'),
    lastSeenAt: nullable(
      Type.String({ format: 'date-time' }),
      'When it last asked whether somebody may publish or watch, to the minute.',
    ),
    controlError: nullable(
      Type.String(),
      'Why its control interface was of no use the last time; null while it is, or was never asked.',
    ),
    controlFailingSince: nullable(Instant, 'Since when it is of no use.'),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'StreamServer', description: 'A media server that may ask whom it may let publish.' },
)
export type StreamServerView = Static<typeof StreamServerView>

const Secret = {
  description: 'What the server proves itself with. Shown this once.',
  examples: ['k7Jw…'],
}

export const NewStreamServerView = Type.Object(
  { ...StreamServerView.properties, secret: Type.String(Secret) },
  { title: 'NewStreamServer', description: 'A media server, with its secret.' },
)

export const NewSecretView = Type.Object({ secret: Type.String(Secret) })

export function streamServerView(server: StreamServer, now: Date): StreamServerView {
  const { control, previousSecretUntil } = server
  return {
    guid: server.guid,
    name: server.name,
    kind: server.kind,
    enabled: server.enabled,
    assignmentRequired: server.assignmentRequired,
    ingest: server.ingest.map(({ protocol, url }) => ({ protocol, url })),
    play: { ...server.play },
    control: control && {
      url: control.url,
      user: control.user,
      password: control.sealedPassword === null ? null : configured,
      vhost: control.vhost,
      app: control.app,
    },
    networks: [...server.networks],
    previousSecretUntil:
      previousSecretUntil !== null && previousSecretUntil > now ? formatInstant(previousSecretUntil) : null,
    lastSeenAt: formatInstant(server.lastSeenAt),
    controlError: server.controlError,
    controlFailingSince: formatInstant(server.controlFailingSince),
    createdAt: formatInstant(server.createdAt),
    updatedAt: formatInstant(server.updatedAt),
  }
}

/**
 * The result of a test of the control interface. Streams are counted, not named, as a path may contain a user's key.
 */
export const ControlTestView = Type.Object(
  {
    ok: Type.Boolean(),
    streams: nullable(Type.Integer({ minimum: 0, examples: [3] }), 'How many it has now; null where it did not tell.'),
    durationMs: Type.Integer({ minimum: 0, examples: [42] }),
    error: nullable(Type.String({ examples: ['10.0.0.5:9997: no connection could be made'] })),
  },
  { title: 'StreamServerTest' },
)
export type ControlTestView = Static<typeof ControlTestView>

export const PlayView = Type.Object(
  {
    whep: nullable(Type.String(), 'WebRTC, with the least delay.'),
    llhls: nullable(Type.String(), 'Low-latency HLS.'),
    hls: nullable(Type.String(), 'HLS.'),
  },
  { title: 'StreamPlay', description: 'Where the stream is watched; null for what its server does not offer.' },
)

const Measure = nullable(Type.Number({ minimum: 0 }))

export const HealthView = Type.Object(
  {
    at: Instant,
    width: nullable(Type.Integer()),
    height: nullable(Type.Integer()),
    fps: Measure,
    videoKbps: Measure,
    audioKbps: Measure,
    readers: nullable(Type.Integer({ description: 'Who watches at its server.' })),
  },
  {
    title: 'StreamHealth',
    description: 'What the server last said of the stream, every 15 seconds; null where it does not tell.',
  },
)
