import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, exportJWK, type JWK_RSA_Public, jwtVerify, SignJWT } from 'jose'
import { isGuid } from '../core/ids.ts'
import { withImpliedRoles } from '../core/roles.ts'
import { isScope, type Scope, withImplied } from '../core/scopes.ts'
import type { Db, Tx } from '../infra/db/database.ts'
import { Cache } from '../infra/events/cache.ts'
import type { Head } from '../infra/events/head.ts'
import type { Bearer, KnownToken } from '../infra/http/admission.ts'
import type { KeyRing } from './keys.ts'
import {
  type GameTokenSubject,
  mintAssistantToken,
  mintGameToken,
  type OutsideToken,
  withOutsideNames,
} from './outside-tokens.ts'
import { type GrantedApplication, listGrantedApplications, revokeApplication } from './store/grants.ts'
import type { GameAccount } from './store/people.ts'
import {
  deleteExpiredTokens,
  findHolderOfToken,
  findHoldersOfTokens,
  insertAccessToken,
  revokeTokensOfSession,
  type TokenHolder,
} from './store/tokens.ts'

/** Access tokens: issued as signed JWTs, but revocable with immediate effect on every process. (D17) */

/** Seconds. (rest-interface: Authentication, 9) */
export const accessTokenLifetime = 5_184_000

export interface TokenSubject {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
}

/** The reason for issuing a token: a sign-in of the website or a client, or a user's grant to an application. (D40) */
export type TokenSource =
  | { readonly scopes: readonly Scope[]; readonly sessionGuid: string | null; readonly grant?: never }
  | { readonly scopes: readonly Scope[]; readonly grant: Grant; readonly sessionGuid?: never }

interface Grant {
  readonly guid: string
  readonly clientId: string
  /** The user's game account, where the grant lets their game sign in. */
  readonly game?: GameAccount | null
}

export interface Tokens {
  readonly lifetimeSeconds: number
  issue(tx: Tx, subject: TokenSubject, source: TokenSource, now: Date): Promise<string>
  /**
   * A token for assistants' servers, which identifies the user to them: this service does not accept or save it. (AS2)
   */
  issueForAssistants(subject: TokenSubject, now: Date): Promise<OutsideToken>
  /** A token that a game shows to other servers: this service does not accept it. (AS28) */
  issueForGame(subject: GameTokenSubject, scopes: readonly string[], now: Date): Promise<string>
  /** The bearer; null for a token that is not ours, not valid now, or was revoked before this call on any process. */
  verify(token: string, now: Date): Promise<Bearer | null>
  /** Like `verify`, for many tokens, with no more statements than for one. */
  verifyAll(tokens: readonly string[], now: Date): Promise<readonly (Bearer | null)[]>
  /** Like `verify`, for a token that was verified before; null if it no longer counts. */
  verifyAgain(token: KnownToken, now: Date): Promise<Bearer | null>
  /**
   * The cached bearer of a token, whatever has happened since; null where none is cached, or the token is not valid
   * now.
   */
  remembered(token: string, now: Date): Bearer | null
  /** Revokes the tokens of a session; the caller's event must touch the session. */
  revokeOfSession(tx: Tx, sessionGuid: string, now: Date): Promise<void>
  listGrantedApplications(db: Db, userGuid: string, now: Date): Promise<readonly GrantedApplication[]>
  /**
   * Ends all grants of a user to an application. Returns whether there were any; the caller's event must touch the
   * user.
   */
  revokeOfApplication(tx: Tx, userGuid: string, clientId: string, now: Date): Promise<boolean>
  /** Deletes at most `limit` expired tokens; returns their number. */
  deleteExpired(tx: Tx, now: Date, limit: number): Promise<number>
  /** The public key of the signing key, as SPKI. */
  publicPem(now: Date): Promise<string>
  /** All keys whose tokens may still be valid. (RFC 7517) */
  jwks(now: Date): Promise<{ keys: PublicJwk[] }>
}

export interface PublicJwk {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
  readonly alg: 'RS256'
  readonly use: 'sig'
}

interface Claims {
  readonly jti: string
  readonly sub: string
  readonly exp: number
  readonly scopes: readonly string[]
}

const maxTokenLength = 8_192
/** Maximum bytes of cached bearers: some ten thousand. */
const maxRememberedBytes = 12 * 1024 * 1024
/** Bytes of an actor without the tags. */
const verifiedBytes = 700
/** Maximum bytes of cached signatures: also some ten thousand. */
const maxSignatureBytes = 10 * 1024 * 1024
/** Bytes of a token's claims. */
const claimsBytes = 400

export function createTokens(options: {
  readonly db: Db
  readonly head: Head
  readonly keys: KeyRing
  readonly issuer: string
}): Tokens {
  const { db, head, keys, issuer } = options
  /** The bearers of verified tokens, by `jti`. */
  const verified = new Cache<Bearer>(head, maxRememberedBytes, () => verifiedBytes)
  // A verified signature stays valid whatever happens to its holder, and verifying it costs most. By SHA-256 of the
  // token, so that a memory dump contains no usable token.
  const signatures = new Cache<Claims>(head, maxSignatureBytes, () => claimsBytes)

  return {
    lifetimeSeconds: accessTokenLifetime,

    async issue(tx, subject, { scopes, grant, sessionGuid = null }, now) {
      const issuedAt = Math.floor(now.getTime() / 1000)
      const expiresAt = issuedAt + accessTokenLifetime
      const jti = await insertAccessToken(tx, {
        userGuid: subject.guid,
        grantGuid: grant?.guid ?? null,
        sessionGuid,
        scopes,
        issuedAt: now,
        expiresAt: new Date(expiresAt * 1000),
      })
      const claims = {
        scope: scopes.join(' '),
        // Other servers also read the scopes of a user's grant, under their own names. (AS2)
        scopes: grant === undefined ? scopes : withOutsideNames(scopes),
        ...grant?.game,
        client_id: grant?.clientId ?? null,
        guid: subject.guid,
        id: subject.chatPlatformId,
        username: subject.username,
        avatarUrl: subject.avatarUrl,
      }
      await keys.refresh(now)
      const { kid, privateKey } = keys.current
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(subject.guid)
        .setJti(jti)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey)
    },

    issueForAssistants: (subject, now) => mintAssistantToken({ keys, issuer }, subject, now),

    async issueForGame(subject, scopes, now) {
      return (await mintGameToken({ keys, issuer }, subject, scopes, now)).token
    },

    async verify(token, now) {
      await head.catchUp()
      const claims = await claimsOf(token, now)
      return claims === null ? null : find(claims)
    },

    async verifyAll(asked, now) {
      await head.catchUp()
      const all = await Promise.all(asked.map((token) => claimsOf(token, now)))
      const { startingPoint } = verified
      const known = all.map((claims) => (claims === null ? undefined : verified.get(claims.jti)))
      const unknown = all.flatMap((claims, index) => (claims === null || known[index] ? [] : [claims.jti]))
      const holders = await findHoldersOfTokens(db, unknown)
      return all.map((claims, index) => {
        if (claims === null) return null
        const bearer = known[index]
        return bearer === undefined ? keep(claims, holders.get(claims.jti), startingPoint) : ofSubject(claims, bearer)
      })
    },

    async verifyAgain({ jti, userGuid, scopes }, now) {
      await head.catchUp()
      const bearer = await find({ jti, sub: userGuid, scopes })
      return bearer === null || bearer.expiresAt <= now.getTime() ? null : bearer
    },

    remembered(token, now) {
      const claims = token.length > maxTokenLength ? undefined : signatures.get(digestOf(token))
      if (claims === undefined || claims.exp * 1000 <= now.getTime()) return null
      const known = verified.get(claims.jti)
      return known === undefined ? null : ofSubject(claims, known)
    },

    revokeOfSession: revokeTokensOfSession,
    listGrantedApplications,
    revokeOfApplication: revokeApplication,
    deleteExpired: deleteExpiredTokens,

    async publicPem(now) {
      await keys.refresh(now)
      return keys.current.publicPem
    },

    async jwks(now) {
      await keys.refresh(now)
      const jwks = keys.all.map(async ({ kid, publicKey }): Promise<PublicJwk> => {
        const { n, e } = (await exportJWK(publicKey)) as JWK_RSA_Public
        return { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
      })
      return { keys: await Promise.all(jwks) }
    },
  }

  /** The claims of a token, if it is ours and has not expired. */
  async function claimsOf(token: string, now: Date): Promise<Claims | null> {
    if (token.length > maxTokenLength) return null
    const digest = digestOf(token)
    const { startingPoint } = signatures
    const known = signatures.get(digest)
    const claims = known ?? (await readClaims(token, now))
    if (claims === null || claims.exp * 1000 <= now.getTime()) return null
    if (known === undefined) signatures.keep(digest, claims, [claims.jti], startingPoint)
    return claims
  }

  /** The bearer that the claims name, unless the token was revoked. */
  async function find(claims: Omit<Claims, 'exp'>): Promise<Bearer | null> {
    const known = verified.get(claims.jti)
    if (known !== undefined) return ofSubject(claims, known)
    const { startingPoint } = verified
    return keep(claims, await findHolderOfToken(db, claims.jti), startingPoint)
  }

  function ofSubject({ sub }: Pick<Claims, 'sub'>, known: Bearer): Bearer | null {
    return known.actor.guid === sub ? known : null
  }

  function keep(claims: Omit<Claims, 'exp'>, holder: TokenHolder | undefined, startingPoint: number): Bearer | null {
    if (holder === undefined || holder.guid !== claims.sub) return null
    const bearer = bearerOf(claims, holder)
    verified.keep(claims.jti, bearer, bearer.tags, startingPoint)
    return bearer
  }

  function bearerOf(claims: Omit<Claims, 'exp'>, holder: TokenHolder): Bearer {
    const { clientId, grantGuid, sessionGuid } = holder
    return {
      tags: [claims.jti, holder.guid, clientId, grantGuid, sessionGuid].filter((tag) => tag !== null),
      expiresAt: holder.expiresAt.getTime(),
      actor: {
        guid: holder.guid,
        chatPlatformId: holder.chatPlatformId,
        globalRoles: withImpliedRoles(holder.globalRoles),
        scopes: withImplied(claims.scopes.filter(isScope)),
        token: { jti: claims.jti, clientId },
        sessionGuid: null,
        isOrganiser: false,
        roles: new Set(),
        platformRole: null,
        view: null,
      },
    }
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
      const { jti, sub, exp, scope } = payload
      if (!isGuid(String(jti))) return null
      return {
        jti: jti as string,
        sub: sub as string,
        exp: exp as number,
        scopes: typeof scope === 'string' ? scope.split(' ') : [],
      }
    } catch (error) {
      // The caller learns only that the token does not count, not the reason.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null
      throw error
    }
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
