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

/** A token for an assistant's server, which says whose it is and no more. (AS2) */
export async function mintAssistantToken(
  { keys, issuer }: { readonly keys: KeyRing; readonly issuer: string },
  { guid, chatPlatformId, username, avatarUrl }: TokenSubject,
  now: Date,
): Promise<OutsideToken> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const expiresAt = issuedAt + assistantTokenLifetime
  await keys.refresh(now)
  const { kid, privateKey } = keys.current
  const token = await new SignJWT({
    ...{ guid, id: chatPlatformId, username, avatarUrl },
    scopes: withOutsideNames(['assistant']),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setIssuer(issuer)
    .setAudience('assistant')
    .setSubject(guid)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey)
  return { token, expiresAt: new Date(expiresAt * 1000) }
}
