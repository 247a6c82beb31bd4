import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Scope } from '../core/scopes.ts'
import type { KeyRing } from './keys.ts'
import type { TokenSubject } from './tokens.ts'

/**
 * Tokens for servers of other operators, which verify them with our published key. These tokens have an audience of
 * their own and are not saved: our own service accepts none of them. (AS2)
 */

/** The second name of each scope that other servers know. (AS2) */
const outsideNames: Partial<Record<Scope, string>> = {
  assistant: 'tournamentassistant',
  'assistant:game': 'tournamentassistant:game',
}

/** Scopes as other servers read them: a scope that they know is listed under both names. (AS2) */
export function withOutsideNames(scopes: readonly Scope[]): string[] {
  return [...scopes, ...scopes.flatMap((scope) => outsideNames[scope] ?? [])]
}

/** Seconds: half a day. (AS2) */
export const assistantTokenLifetime = 43_200

export interface OutsideToken {
  readonly token: string
  readonly expiresAt: Date
}

interface Signing {
  readonly keys: KeyRing
  readonly issuer: string
}

/** A token for an assistant's server, which only identifies the user. (AS2) */
export async function mintAssistantToken(
  signing: Signing,
  { guid, chatPlatformId, username, avatarUrl }: TokenSubject,
  now: Date,
): Promise<OutsideToken> {
  const claims = { guid, id: chatPlatformId, username, avatarUrl, scopes: withOutsideNames(['assistant']) }
  return sign(signing, { claims, subject: guid, audience: 'assistant', lifetime: assistantTokenLifetime }, now)
}

/** Seconds: a day. (AS2) */
const gameTokenLifetime = 86_400

/** The player according to a ranking platform, and the user of this service, if known. */
export interface GameTokenSubject {
  readonly user: { readonly guid: string; readonly chatPlatformId: string } | null
  readonly platform: string
  readonly platformId: string
  readonly name: string
  readonly avatarUrl: string
}

/** A token for a game, which only identifies the player. (AS28) */
export async function mintGameToken(
  signing: Signing,
  { user, platform, platformId, name, avatarUrl }: GameTokenSubject,
  scopes: readonly string[],
  now: Date,
): Promise<OutsideToken> {
  const claims = {
    ...(user === null ? {} : { guid: user.guid }),
    id: user?.chatPlatformId ?? null,
    username: name,
    avatarUrl,
    scopes: [...withOutsideNames(['assistant:game']), ...scopes],
    platform,
    platformId,
    platformIds: [platformId],
    tokenType: 'game',
  }
  return sign(signing, { claims, subject: user?.guid ?? null, audience: 'game', lifetime: gameTokenLifetime }, now)
}

interface Statement {
  readonly claims: Readonly<Record<string, unknown>>
  readonly subject: string | null
  readonly audience: string
  readonly lifetime: number
}

async function sign(
  { keys, issuer }: Signing,
  { claims, subject, audience, lifetime }: Statement,
  now: Date,
): Promise<OutsideToken> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const expiresAt = issuedAt + lifetime
  await keys.refresh(now)
  const { kid, privateKey } = keys.current
  const jwt = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(expiresAt)
  const token = await (subject === null ? jwt : jwt.setSubject(subject)).sign(privateKey)
  return { token, expiresAt: new Date(expiresAt * 1000) }
}
