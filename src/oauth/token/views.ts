import { Type } from 'typebox'
import { oneOf } from '../../core/schema.ts'

/** The response with new tokens. (rest-interface: Authentication, 9; RFC 6749 §5.1) */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: oneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [5_184_000] }),
    refresh_token: Type.String(),
    scope: Type.String({ description: 'Space-separated, as granted.', examples: ['rest:read ws:read'] }),
  },
  { title: 'TokenResponse' },
)

/** An error of the token endpoints. (RFC 6749 §5.2) */
export const ErrorResponse = Type.Object({ error: Type.String(), error_description: Type.String() })
