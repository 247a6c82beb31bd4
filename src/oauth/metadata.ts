import { Type } from 'typebox'
import { anyone } from '../core/actor.ts'
import { query } from '../core/operation.ts'
import { scopes } from '../core/scopes.ts'
import { grantTypes } from './checks/grant.ts'

const words = Type.Array(Type.String())

/** The server's metadata: its endpoints and features. (RFC 8414 §2; RFC 9207 §3) */
const metadata = query({
  name: 'oauth.metadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  root: true,
  scope: 'public',
  allow: anyone,
  summary: 'The authorization server’s metadata. (RFC 8414)',
  description: 'Libraries find everything else by it: the addresses of the endpoints, the keys, and what is supported.',
  reply: {
    200: Type.Object({
      issuer: Type.String(),
      authorization_endpoint: Type.String(),
      token_endpoint: Type.String(),
      jwks_uri: Type.String(),
      revocation_endpoint: Type.String(),
      introspection_endpoint: Type.String(),
      device_authorization_endpoint: Type.String(),
      service_documentation: Type.String(),
      scopes_supported: words,
      response_types_supported: words,
      response_modes_supported: words,
      grant_types_supported: words,
      code_challenge_methods_supported: words,
      token_endpoint_auth_methods_supported: words,
      revocation_endpoint_auth_methods_supported: words,
      introspection_endpoint_auth_methods_supported: words,
      authorization_response_iss_parameter_supported: Type.Boolean(),
    }),
  },
  run: ({ services: { config } }) => {
    const { publicUrl } = config
    const at = (path: string) => `${publicUrl}/api/oauth/${path}`
    return {
      issuer: publicUrl,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
      revocation_endpoint: at('revoke'),
      introspection_endpoint: at('introspect'),
      device_authorization_endpoint: at('device_authorization'),
      service_documentation: `${publicUrl}/api/docs/`,
      scopes_supported: [...scopes],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [...grantTypes],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    }
  },
})

export const metadataOperations = [metadata]
