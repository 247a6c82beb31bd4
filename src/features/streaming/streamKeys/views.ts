import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { streamProtocols } from '../../../infra/clients/media-servers/types.ts'
import { HealthView, PlayView } from '../streamServers/views.ts'
import type { StreamKey } from './types.ts'

const OptionalInstant = nullable(Instant)
const failureKinds = ['unreachable', 'unusable', 'busy'] as const
export type FailureKind = (typeof failureKinds)[number]
const serverStates = ['unknown', 'reachable', 'failing'] as const

export const StreamKeyView = Type.Object(
  {
    guid: Guid,
    label: Type.String({ examples: ['Living room'] }),
    key: nullable(
      Type.String({ examples: ['sk-k7Jw…'] }),
      'What an encoder publishes with; null for applications and administrators.',
    ),
    lastFour: Type.String({ description: 'The end of the key.', examples: ['x9Qa'] }),
    createdAt: Instant,
    lastUsedAt: nullable(Type.String({ format: 'date-time' }), 'When it was last published with, to the minute.'),
    expiresAt: OptionalInstant,
  },
  {
    title: 'StreamKey',
    description:
      'A key of a user’s encoder. `expiresAt` is the end of a rotation’s grace, null for a key that goes on.',
  },
)
export type StreamKeyView = Static<typeof StreamKeyView>

/** @param key null for callers who may not see it (S2) */
export function streamKeyView(record: StreamKey, key: string | null): StreamKeyView {
  return {
    guid: record.guid,
    label: record.label,
    key,
    lastFour: record.lastFour,
    createdAt: formatInstant(record.createdAt),
    lastUsedAt: formatInstant(record.lastUsedAt),
    expiresAt: formatInstant(record.expiresAt),
  }
}

const EncoderView = Type.Object(
  {
    server: Type.Object({ guid: Guid, name: Type.String({ examples: ['Stockholm'] }) }),
    protocol: oneOf(streamProtocols),
    serverField: Type.String({
      description:
        'Where the encoder sends to. For some protocols the key is part of it, of which applications see a stand-in.',
      examples: ['rtmp://live.example.org/live'],
    }),
    keyField: nullable(
      Type.String({ examples: ['sk-k7Jw…'] }),
      'What stands in the encoder’s field for the stream key, empty where that stays so; null for applications, and where there is no key.',
    ),
    minimum: Type.Object(
      { height: Type.Integer({ examples: [720] }), fps: Type.Integer({ examples: [30] }) },
      { description: 'What the encoder should send at least.' },
    ),
  },
  { title: 'EncoderSettings' },
)

export const StreamSettingsView = Type.Object(
  {
    streamKey: nullable(Guid, 'GUID of the key that the fields are made of; null where the user has none.'),
    encoders: Type.Array(EncoderView, { description: 'For each enabled server and each of its addresses, by server.' }),
    watch: Type.Array(
      Type.Object({
        server: Type.Object({ guid: Guid, name: Type.String({ examples: ['Stockholm'] }) }),
        play: PlayView,
        state: oneOf(serverStates, {
          description:
            'Whether the server answered when it was last asked what arrives; `unknown` where it cannot be asked.',
        }),
        failing: nullable(
          Type.Object(
            {
              since: nullable(Instant, 'Null where it is not known.'),
              reason: oneOf(failureKinds, {
                description:
                  '`unreachable`: no answer comes; `unusable`: the answer is an error, or not understood; `busy`: it is asked too often.',
              }),
              error: nullable(
                Type.String({ examples: ['10.0.0.5:9997: did not answer in time'] }),
                'For owners and developers alone, as it names hosts.',
              ),
            },
            { title: 'StreamServerFailure' },
          ),
          'Since when and why it does not answer; null unless the state is `failing`.',
        ),
        live: nullable(
          Type.Object(
            {
              test: Type.Boolean({ description: 'Let in without an assignment.' }),
              since: Instant,
              health: nullable(HealthView),
            },
            { title: 'OwnStream' },
          ),
          'What arrives of the user now.',
        ),
      }),
      {
        description:
          'What the user sends and where they see it, for each enabled server; a test needs `?view=` with the token.',
      },
    ),
    testAllowance: Type.Object({
      secondsLeft: Type.Integer({
        minimum: 0,
        description: 'For how long the user may still stream today, by the day of UTC, without an assignment.',
        examples: [1800],
      }),
    }),
    viewToken: Type.String({
      description: 'Given as `view` to a server, lets the user watch their own tests. Good for a quarter of an hour.',
    }),
  },
  { title: 'StreamSettings', description: 'What a user’s encoder must be told.' },
)
export type StreamSettingsView = Static<typeof StreamSettingsView>
