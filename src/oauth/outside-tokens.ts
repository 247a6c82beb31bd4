import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Scope } from '../core/scopes.ts'
import type { KeyRing } from './keys.ts'
import type { TokenSubject } from './tokens.ts'

/**
 * What tokens say to servers of others, which verify them by our published key. Those that are made for such servers name
 * another audience than ours, and stand in no list of tokens: nothing of ours takes them, whoever holds them. (AS2)
 */

/** Servers outside know each of these by its second name. (AS2) */
const outsideNames: Partial<Record<Scope, string>> = {
  assistant: 'tournamentassistant',
  'assistant:game': 'tournamentassistant:game',
}

/** Scopes as servers outside read them: each of those that they know stands under both its names. (AS2) */
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

/** A token for an assistant's server, which says whose it is and no more. (AS2) */
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

/** Who plays, as a ranking platform has said it, and who they are here if they are known. */
export interface GameTokenSubject {
  readonly user: { readonly guid: string; readonly chatPlatformId: string } | null
  readonly platform: string
  readonly platformId: string
  readonly name: string
  readonly avatarUrl: string
}

/** A token for a game, which says who is playing and no more. (AS28) */
export async function mintGameToken(
  signing: Signing,
  { user, platform, platformId, name, avatarUrl }: GameTokenSubject,
  scopes: readonly string[],
  now: Date,
): Promise<OutsideToken> {
  const claims = {
    ...(user === null ? {} : { guid: user.guid }),
    ...{ id: user?.chatPlatformId ?? null, username: name, avatarUrl },
    scopes: [...withOutsideNames(['assistant:game']), ...scopes],
    ...{ platform, platformId, platformIds: [platformId], tokenType: 'game' },
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
