import { Type } from 'typebox'
import { nullable, oneOf } from '../../../core/schema.ts'
import { serverKinds } from '../../../infra/clients/media-servers/types.ts'
import { ingestProtocols, maxServerAddressLength } from './rules/addresses.ts'
import { maxNetworks } from './rules/networks.ts'
import { maxIngests, maxNameCharacters, maxSecretGrace } from './rules/servers.ts'

const address = Type.String({ minLength: 1, maxLength: maxServerAddressLength })
const word = nullable(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.-]+$' }))

const details = {
  name: Type.String({ minLength: 1, maxLength: maxNameCharacters }),
  enabled: Type.Optional(Type.Boolean()),
  assignmentRequired: Type.Optional(Type.Boolean()),
  ingest: Type.Array(Type.Object({ protocol: oneOf(ingestProtocols), url: address }, { additionalProperties: false }), {
    maxItems: maxIngests,
    description: 'Where encoders send to, without credentials or keys.',
  }),
  play: Type.Optional(
    Type.Object(
      {
        whep: Type.Optional(nullable(address)),
        llhls: Type.Optional(nullable(address)),
        hls: Type.Optional(nullable(address)),
      },
      {
        additionalProperties: false,
        description: 'http or https, with `{path}` for the path of the stream; what is left out stays.',
      },
    ),
  ),
  control: Type.Optional(
    nullable(
      Type.Object(
        {
          url: address,
          user: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
          password: Type.Optional(
            nullable(Type.String({ minLength: 1, maxLength: 500 }), 'Left out: the one that there is.'),
          ),
          vhost: Type.Optional(word),
          app: Type.Optional(word),
        },
        { additionalProperties: false },
      ),
      'Where the server itself is asked what is live and told to end a stream; it may be in a private network. Replaced as a whole.',
    ),
  ),
  networks: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: maxNetworks,
      description:
        'Where the server asks from, in CIDR notation; empty for anywhere. nginx-rtmp may ask from loopback and private networks alone, from all of them unless some are named.',
    }),
  ),
}

export const NewServerBody = Type.Object(
  { ...details, kind: oneOf(serverKinds, { description: 'It stays.' }) },
  {
    examples: [
      {
        name: 'Stockholm',
        kind: 'mediamtx',
        ingest: [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
        play: { hls: 'https://live.example.org/{path}/index.m3u8' },
        control: { url: 'http://10.0.0.5:9997', user: 'downbeat', password: 'the password that the server knows' },
        networks: ['203.0.113.0/24'],
      },
    ],
  },
)

export const ServerBody = Type.Object(
  { ...details, name: Type.Optional(details.name), ingest: Type.Optional(details.ingest) },
  { examples: [{ enabled: false }] },
)

export const RotationBody = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxSecretGrace,
        description: 'For how long the old secret counts beside the new one; 0 unless given.',
      }),
    ),
  },
  { examples: [{ graceSeconds: 3600 }] },
)
