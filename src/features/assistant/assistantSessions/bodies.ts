import { Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { difficulties, modifiers } from '../../../infra/clients/assistant/messages.ts'
import { characteristicPattern } from '../../maps/catalogue/types.ts'

const strict = { additionalProperties: false } as const

const Players = Type.Optional(
  Type.Array(Guid, { minItems: 1, maxItems: 16, description: 'GUIDs of some of the players; all of them without it.' }),
)

export const ControlBody = Type.Object(
  {
    action: oneOf(['take', 'renew', 'release', 'takeover']),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Of a takeover, for whoever had control, and for the audit list.',
      }),
    ),
  },
  { ...strict, examples: [{ action: 'take' }] },
)

const closing = {
  deleteMatch: Type.Optional(Type.Boolean({ description: 'The match at the assistant too, where we have made it.' })),
  force: Type.Optional(
    Type.Boolean({
      description: 'Also while a song is played: the next session that is opened for the match takes the song up.',
    }),
  ),
}

/** The query has the same members as the body, because some clients and proxies drop the body of a DELETE. */
export const CloseQuery = closing

export const CloseBody = Type.Object(closing, { ...strict, examples: [{ deleteMatch: true }] })

export const PlayerBody = Type.Object(
  { platformId: nullable(Type.String({ minLength: 1, maxLength: 64 }), 'null for nobody at the assistant.') },
  { ...strict, examples: [{ platformId: '76561190000000001' }] },
)

export const MapBody = Type.Union(
  [
    Type.Object({ source: Type.Literal('flow') }, { ...strict, description: 'What the flow session is to play now.' }),
    Type.Object({ poolMapGuid: Guid }, { ...strict, description: 'A map of a published pool.' }),
    Type.Object(
      {
        hash: Type.String({ pattern: '^[0-9A-Fa-f]{40}$' }),
        characteristic: Type.String({ pattern: characteristicPattern, examples: ['Standard'] }),
        difficulty: oneOf(difficulties),
        modifiers: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, uniqueItems: true })),
      },
      { ...strict, description: 'Any map; its result is proposed with a warning.' },
    ),
  ],
  { examples: [{ source: 'flow' }] },
)

/** The members that force a song in a decided match. (D78) */
const forcing = {
  force: Type.Optional(
    Type.Boolean({ description: 'Although the match is decided: what comes of it is proposed with `late`.' }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Needed with `force`; it stands in the audit list where the match is decided.',
    }),
  ),
}

export const SomeBody = Type.Object({ players: Players, ...forcing }, { ...strict, examples: [{}] })

export const CheckBody = Type.Object(
  {
    players: Players,
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    seconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 120, description: '30 without it.' })),
  },
  strict,
)

export const PlayBody = Type.Object(
  {
    mode: Type.Optional(oneOf(['now', 'held', 'synced'], { description: 'The link’s own without it.' })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 30_000, description: 'Of `held`.' })),
    players: Players,
    ignore: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 20,
        description: 'Codes of reasons that are passed over.',
        examples: [['player_missing']],
      }),
    ),
    ...forcing,
  },
  { ...strict, examples: [{ mode: 'now' }] },
)

export const ModifyBody = Type.Object(
  {
    modifier: oneOf(modifiers),
    confirm: Type.Optional(Type.Boolean({ description: 'Needed while a song is played.' })),
  },
  { ...strict, examples: [{ modifier: 'InvertColors' }] },
)

export const ColorBody = Type.Object(
  { color: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#ff00aa'] }), players: Players },
  { ...strict, examples: [{ color: '#ff00aa' }] },
)

export const DelaysBody = Type.Array(
  Type.Object({ user: Guid, delayMs: Type.Integer({ minimum: 0, maximum: 60_000 }) }, strict),
  { minItems: 1, maxItems: 16 },
)
