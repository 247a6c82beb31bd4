import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, exportJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import type { Actor } from '../core/actor.ts'
import { withImpliedRoles } from '../core/roles.ts'
import { isScope, type Scope, withImplied } from '../core/scopes.ts'
import type { Db, Tx } from '../infra/db/database.ts'
import type { Head } from '../infra/events/head.ts'
import { Memory } from '../infra/events/memory.ts'
import type { KeyRing } from './keys.ts'
import { findHolderOfToken, insertAccessToken } from './store.ts'

/** Access tokens: issued as signed JWTs, and nevertheless revocable at once on every process. (D17) */

/** Seconds. (rest-interface: Authentication 9) */
export const accessTokenLifetime = 5_184_000

export interface TokenSubject {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
}

export interface Grant {
  readonly scopes: readonly Scope[]
  /** null for first-party tokens. (D40) */
  readonly clientId: string | null
  readonly sessionGuid: string | null
}

export interface Tokens {
  issue(tx: Tx, subject: TokenSubject, grant: Grant, now: Date): Promise<string>
  /** The bearer, or null for a token that is not ours, not valid now, or revoked. Call after `Head.catchUp`. */
  verify(token: string, now: Date): Promise<Actor | null>
  readonly publicPem: string
  /** RFC 7517. */
  jwks(): Promise<{ keys: JWK[] }>
}

interface Verified {
  readonly actor: Actor
  readonly jti: string
  readonly holder: string
  /** Milliseconds. */
  readonly expiresAt: number
}

const maxTokenLength = 8_192
const maxRemembered = 20_000

export function createTokens(options: {
  readonly db: Db
  readonly head: Head
  readonly keys: KeyRing
  readonly issuer: string
}): Tokens {
  const { db, head, keys, issuer } = options
  // By SHA-256 of the token, so that a dump of memory holds no usable token.
  const verified = new Memory<Verified>(head, maxRemembered)

  return {
    async issue(tx, subject, grant, now) {
      const issuedAt = Math.floor(now.getTime() / 1000)
      const expiresAt = issuedAt + accessTokenLifetime
      const jti = await insertAccessToken(tx, {
        userGuid: subject.guid,
        clientId: grant.clientId,
        sessionGuid: grant.sessionGuid,
        scopes: grant.scopes,
        issuedAt: now,
        expiresAt: new Date(expiresAt * 1000),
      })
      const claims = {
        scope: grant.scopes.join(' '),
        scopes: grant.scopes,
        client_id: grant.clientId,
        guid: subject.guid,
        id: subject.chatPlatformId,
        username: subject.username,
        avatarUrl: subject.avatarUrl,
      }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keys.current.kid })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(subject.guid)
        .setJti(jti)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(keys.current.privateKey)
    },

    async verify(token, now) {
      if (token.length > maxTokenLength) return null
      const digest = hash('sha256', token, 'base64url')
      const known = verified.get(digest)
      if (known !== undefined) return known.expiresAt > now.getTime() ? known.actor : null
      const { startingPoint } = verified
      const entry = await check(token, now)
      if (entry === null) return null
      verified.keep(digest, entry, [entry.jti, entry.holder], startingPoint)
      return entry.actor
    },

    get publicPem() {
      return keys.current.publicPem
    },

    async jwks() {
      const jwks = keys.all.map(async ({ kid, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: 'RS256',
        use: 'sig',
      }))
      return { keys: await Promise.all(jwks) }
    },
  }

  async function check(token: string, now: Date): Promise<Verified | null> {
    const claims = await readClaims(token, now)
    if (claims === null) return null
    const holder = await findHolderOfToken(db, claims.jti)
    if (holder === undefined || holder.guid !== claims.sub) return null
    return {
      jti: claims.jti,
      holder: holder.guid,
      expiresAt: claims.exp * 1000,
      actor: {
        guid: holder.guid,
        chatPlatformId: holder.chatPlatformId,
        globalRoles: withImpliedRoles(holder.globalRoles),
        scopes: withImplied(claims.scopes.filter(isScope)),
        token: { jti: claims.jti, clientId: claims.clientId },
        isOrganiser: false,
        roles: new Set(),
        platformRole: null,
      },
    }
  }

  interface Claims {
    readonly jti: string
    readonly sub: string
    readonly exp: number
    readonly clientId: string | null
    readonly scopes: readonly string[]
  }

  async function readClaims(token: string, now: Date): Promise<Claims | null> {
    try {
      const key = await keys.find(decodeProtectedHeader(token).kid ?? '')
      if (key === undefined) return null
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['RS256'],
        issuer,
        audience: issuer,
        currentDate: now,
        requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub', 'scope'],
      })
      const { jti, sub, exp, client_id: clientId, scope } = payload
      return {
        jti: jti as string,
        sub: sub as string,
        exp: exp as number,
        clientId: typeof clientId === 'string' ? clientId : null,
        scopes: typeof scope === 'string' ? scope.split(' ') : [],
      }
    } catch (error) {
      // Whatever is wrong with a token, its bearer learns only that it does not count.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null
      throw error
    }
  }
}
