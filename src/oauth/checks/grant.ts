import { isSame } from '../../infra/secrets.ts'
import { refusal, Stolen, type StolenKind } from '../problems.ts'
import type { RefreshToken, Subject } from '../store/grants.ts'
import type { Client } from '../types.ts'
import { given } from './parameters.ts'

/** Checks whether a code or token can be exchanged for a new token. */

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const
export type GrantType = (typeof grantTypes)[number]

/**
 * Only three grant types are supported: none with a user's password, and none for an application on its own behalf.
 * (RFC 6749 §4.5, §5.2)
 */
export function checkGrantType(parameters: URLSearchParams): GrantType {
  const asked = given(parameters, 'grant_type')
  if (asked === undefined) throw refusal('invalid_request', 'parameter.missing', 'The request lacks grant_type.')
  const type = grantTypes.find((known) => known === asked)
  if (type === undefined) {
    throw refusal('unsupported_grant_type', 'grant_type.unsupported', `grant_type must be ${grantTypes.join(' or ')}.`)
  }
  return type
}

/** A code or token that was never issued, or was deleted long after its expiry, is refused. (RFC 6749 §5.2) */
export function checkGrantKnown<T>(presented: T | undefined): T {
  if (presented === undefined) throw gone()
  return presented
}

/** Codes and refresh tokens can be used only by the client that they were issued to. (RFC 6749 §4.1.3, §6) */
export function checkGrantOfClient(presented: { readonly clientId: string }, client: Client): void {
  if (!isSame(presented.clientId, client.clientId)) throw gone()
}

/** A client can revoke only its own tokens; a token of another client is refused. (RFC 7009 §2.1) */
export function checkTokenOfClient({ clientId }: { readonly clientId: string | null }, client: Client): void {
  if (clientId !== client.clientId) {
    throw refusal('invalid_grant', 'token.of_another', 'The token was given to another client.')
  }
}

/**
 * Each code and refresh token can be used once: a second use means that it was stolen, and ends the whole grant. (RFC
 * 6749 §4.1.2; RFC 9700 §4.14.2; D22, D38)
 */
export function checkUnused(presented: { readonly usedAt: Date | null }, grantGuid: string, kind: StolenKind): void {
  if (presented.usedAt !== null) throw new Stolen(grantGuid, kind)
}

/**
 * Codes are valid for ten minutes, refresh tokens for 180 days. (rest-interface: Authorization code and refresh token;
 * D22)
 */
export function checkFresh({ expiresAt }: { readonly expiresAt: Date }, now: Date): void {
  if (expiresAt <= now) throw gone()
}

/** A grant that the user or the application has revoked is refused. (RFC 6749 §5.2) */
export function checkGrantStanding({ revokedAt }: { readonly revokedAt: Date | null }): void {
  if (revokedAt !== null) throw gone()
}

/** A banned or deleted user's grants are refused, and so are grants from before a ban that has ended. (D24) */
export function checkSubjectStanding(subject: Subject, grantedAt: Date): void {
  if (!subject.isGood || grantedAt < subject.credentialsValidFrom) throw gone()
}

/** Whether a refresh token could be used now. (RFC 7662 §2.2) */
export function isStanding({ usedAt, expiresAt, grant, subject }: RefreshToken, now: Date): boolean {
  return (
    usedAt === null &&
    expiresAt > now &&
    grant.revokedAt === null &&
    subject.isGood &&
    grant.createdAt >= subject.credentialsValidFrom
  )
}

/** One message for all cases: the caller must not learn which one applies. */
function gone() {
  return refusal(
    'invalid_grant',
    'grant.invalid',
    'The code or token is unknown, expired, revoked or of another client.',
  )
}
