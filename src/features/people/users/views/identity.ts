import { type Static, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Link, User } from '../types.ts'

export const Identity = Type.Object(
  {
    platform: oneOf(['chat', 'ranking-a', 'ranking-b', 'streaming']),
    externalId: Type.String({
      description: 'ID of the account on a ranking platform or the chat platform, name of a streaming account.',
    }),
    verifiedAt: nullable(Instant, 'When it was proven that the account is the user’s; null while it is not.'),
    proofCode: Type.Optional(
      Type.String({
        description: 'Proves the account when it stands in its profile text. Only while it is not proven.',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'What the ranking platform calls the account.' })),
    linkedAt: Instant,
  },
  {
    title: 'Identity',
    description: 'An account elsewhere that is the user’s, or that they say is.',
    examples: [
      {
        platform: 'ranking-a',
        externalId: '76561198000000001',
        verifiedAt: null,
        proofCode: 'downbeat-7QHC4MXD',
        name: 'Quaver',
        linkedAt: '2026-05-01T18:00:00.000Z',
      },
    ],
  },
)
export type Identity = Static<typeof Identity>

export function identityView({ platform, externalId, verifiedAt, proofCode, name, createdAt }: Link): Identity {
  return {
    platform,
    externalId,
    verifiedAt: formatInstant(verifiedAt),
    ...(proofCode === null ? {} : { proofCode }),
    ...(name === null ? {} : { name }),
    linkedAt: formatInstant(createdAt),
  }
}

/** A user who signs in through the chat platform has proven that the chat account is theirs. */
export function chatIdentityView({ chatPlatformId, createdAt }: User): Identity {
  const since = formatInstant(createdAt)
  return { platform: 'chat', externalId: chatPlatformId, verifiedAt: since, linkedAt: since }
}
