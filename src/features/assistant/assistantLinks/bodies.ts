import { type Static, Type } from 'typebox'
import { exampleGuid, nullable, oneOf } from '../../../core/schema.ts'
import {
  defaultPort,
  maxBannedMods,
  maxHostCharacters,
  maxPromptCharacters,
  maxQualifierEvents,
  maxSecretCharacters,
  versionCodes,
} from './rules/links.ts'

const optional = Type.Optional
const secret = (maxLength: number, description: string) =>
  optional(nullable(Type.String({ minLength: 1, maxLength }), description))
const assistantGuid = Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' })

export const tokenKinds = ['own', 'bot', 'readonly'] as const
export const playModes = ['now', 'held', 'synced'] as const

export const LinkBody = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: maxHostCharacters, description: 'A name or an address.' }),
    port: optional(Type.Integer({ minimum: 1, maximum: 65_535, default: defaultPort })),
    tls: optional(Type.Boolean({ description: 'Always, but on installations for trying things out.' })),
    certificate: optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: '`public`, or the SHA-256 fingerprint of a self-signed one, in hex.',
      }),
    ),
    assistantTournament: Type.Object(
      { guid: assistantGuid, name: Type.String({ maxLength: 200 }) },
      { additionalProperties: false, description: 'The tournament as the assistant has it.' },
    ),
    tokenKind: oneOf(tokenKinds, {
      description:
        '`own`: tokens of this service, in the name of whoever sets the link. `bot`: the token of a bot of the assistant’s. `readonly`: results of qualifiers alone.',
    }),
    token: secret(
      maxSecretCharacters,
      'Of a bot. Left out: the one that there is, while host, port and certificate stay.',
    ),
    password: secret(200, 'Of the assistant’s tournament. Left out: as the token.'),
    versionCode: optional(
      nullable(
        Type.Integer({ minimum: versionCodes.least, maximum: versionCodes.most }),
        'Of the assistant’s protocol; null for the newest that is known here.',
      ),
    ),
    qualifierEvents: optional(
      Type.Array(assistantGuid, { maxItems: maxQualifierEvents, description: 'The assistant’s events.' }),
    ),
    bannedMods: optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: maxBannedMods })),
    hookSecret: secret(200, 'By which the assistant signs its hooks. Left out: the one that there is.'),
    enabled: optional(Type.Boolean()),
    allowModify: optional(Type.Boolean({ description: 'Whether operators may change how a song is played.' })),
    defaults: optional(
      Type.Object(
        {
          playMode: optional(oneOf(playModes)),
          readyCheck: optional(Type.Boolean()),
          prompt: optional(Type.String({ maxLength: maxPromptCharacters })),
          loadTimeoutMs: optional(Type.Integer({ minimum: 10_000, maximum: 180_000 })),
          autoAccept: optional(Type.Boolean()),
          autoAcceptMs: optional(Type.Integer({ minimum: 3_000, maximum: 60_000 })),
        },
        { additionalProperties: false, description: 'How matches are played unless somebody says otherwise.' },
      ),
    ),
  },
  {
    examples: [
      {
        host: 'assistant.example.org',
        assistantTournament: { guid: exampleGuid, name: 'Spring Cup' },
        tokenKind: 'own',
        bannedMods: ['Heck'],
        defaults: { playMode: 'now', readyCheck: true },
      },
    ],
  },
)
export type LinkBody = Static<typeof LinkBody>
