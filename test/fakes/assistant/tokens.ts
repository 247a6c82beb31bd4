import { createRemoteJWKSet, importSPKI, type JWTPayload, jwtVerify } from 'jose'

/** Identifies the bearer of a token by the server's own rules: it checks neither issuer nor audience. */

export type IdentityKind = 'own' | 'game' | 'bot' | 'readonly'

export interface Identity {
  readonly kind: IdentityKind
  /** The id on the chat platform; empty when the token has none. */
  readonly id: string
  readonly name: string
  readonly avatarUrl: string
  /** The platform id of a game; else empty. */
  readonly platformId: string
}

/** Keys of other issuers: PEM texts, or the address of a JWKS. */
export type TrustedKeys = readonly string[] | { readonly jwks: string }

export interface Tokens {
  /** Trusts further keys from now on. */
  trust(keys: TrustedKeys): void
  /** Registers a bot. @returns its token */
  addBot(name: string): string
  /** Null for a bad token. */
  identify(token: string): Promise<Identity | null>
}

type Verify = (token: string) => Promise<JWTPayload>

export function createTokens(trusted: TrustedKeys): Tokens {
  const verifiers: Verify[] = []
  const bots = new Map<string, Identity>()

  const trust = (keys: TrustedKeys) => {
    if ('jwks' in keys) {
      // Keys may be rotated within a test.
      const find = createRemoteJWKSet(new URL(keys.jwks), { cooldownDuration: 0 })
      verifiers.push(async (token) => (await jwtVerify(token, find, options)).payload)
    } else {
      for (const pem of keys) {
        verifiers.push(async (token) => (await jwtVerify(token, await importSPKI(pem, 'RS256'), options)).payload)
      }
    }
  }
  trust(trusted)

  return {
    trust,
    addBot(name) {
      const number = bots.size + 1
      const token = `bot-${number}-${crypto.randomUUID()}`
      bots.set(token, { kind: 'bot', id: `bot-${number}`, name, avatarUrl: '', platformId: '' })
      return token
    },
    async identify(token) {
      if (token === 'readonly') return { kind: 'readonly', id: '', name: 'readonly', avatarUrl: '', platformId: '' }
      const bot = bots.get(token)
      if (bot !== undefined) return bot
      for (const verify of verifiers) {
        const claims = await verify(token).catch(() => null)
        if (claims !== null) return identityOf(claims)
      }
      return null
    },
  }
}

const options = { algorithms: ['RS256'] }

function identityOf(claims: JWTPayload): Identity | null {
  const { id, username, avatarUrl, platformId, scopes } = claims
  if (!Array.isArray(scopes) || typeof username !== 'string' || typeof avatarUrl !== 'string') return null
  if (scopes.includes('tournamentassistant:game') && typeof platformId === 'string') {
    return { kind: 'game', id: typeof id === 'string' ? id : '', name: username, avatarUrl, platformId }
  }
  if (!scopes.includes('tournamentassistant') || typeof id !== 'string') return null
  return { kind: 'own', id, name: username, avatarUrl, platformId: '' }
}
