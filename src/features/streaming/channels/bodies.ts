import { type Static, Type } from 'typebox'
import { Guid, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { maxChannels, maxDelaySeconds, maxEntries, maxNameLength } from './rules.ts'
import { queueStatuses } from './types.ts'

const Revision = Type.Integer({
  minimum: 0,
  description: 'Of what this takes the place of; 0 for the first.',
})

export const ChannelsBody = Type.Object(
  {
    channels: Type.Array(
      Type.Object({
        guid: Type.Optional({ ...Guid, description: 'Of a channel that stays, with its queue.' }),
        name: Type.String({ minLength: 1, maxLength: maxNameLength, examples: ['Main stream'] }),
        url: Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'Where it is watched, over https. It becomes the `streamUrl` of the matches in its queue.',
          examples: ['https://streams.example.org/spring-cup'],
        }),
        delaySeconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxDelaySeconds,
            description:
              'How far what it shows is behind the matches; 0 unless given. By so much the matches in its queue are late for whoever asks for them with `delayed`.',
          }),
        ),
      }),
      { maxItems: maxChannels },
    ),
    revision: Revision,
  },
  {
    examples: [
      {
        channels: [{ name: 'Main stream', url: 'https://streams.example.org/spring-cup', delaySeconds: 90 }],
        revision: 0,
      },
    ],
  },
)
export type ChannelsBody = Static<typeof ChannelsBody>

export const QueueBody = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        match: Type.String({ minLength: 1, maxLength: 64, description: 'GUID of a match, or its number.' }),
        division: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'GUID or short id of the division, for a match named by its number.',
          }),
        ),
        status: Type.Optional(oneOf(queueStatuses, { description: '`queued` unless given.' })),
        plannedAt: OptionalInstant,
      }),
      { maxItems: maxEntries },
    ),
    revision: Revision,
  },
  {
    examples: [{ entries: [{ match: '1', status: 'next', plannedAt: '2027-05-01T18:00:00.000Z' }], revision: 0 }],
  },
)
export type QueueBody = Static<typeof QueueBody>
