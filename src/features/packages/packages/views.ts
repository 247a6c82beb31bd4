import { Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'

export const PackageKeysView = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({
        description: 'The thumbprint of the key. (RFC 7638)',
        examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
      }),
      kty: oneOf(['OKP']),
      crv: oneOf(['Ed25519']),
      x: Type.String({
        description: 'The public key, in base64url.',
        examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
      }),
      use: oneOf(['sig']),
      status: oneOf(['current', 'retired', 'revoked']),
      revokedAt: nullable(Instant),
    }),
  ),
})
