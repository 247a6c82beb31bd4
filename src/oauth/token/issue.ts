import type { Static } from 'typebox'
import type { Scope } from '../../core/scopes.ts'
import type { Tx } from '../../infra/db/database.ts'
import { digestOf, newSecret } from '../../infra/secrets.ts'
import type { Services } from '../../services.ts'
import { type Grant, insertGrant, insertRefreshToken, noteGrantUse, type Subject } from '../store/grants.ts'
import type { GameAccount } from '../store/people.ts'
import type { TokenResponse } from './views.ts'

/** Seconds: 180 days from issue. (D22) */
export const refreshTokenLifetime = 180 * 86_400

export interface Issue {
  readonly grant: Omit<Grant, 'userGuid'>
  readonly subject: Subject
  /** Scopes of the access token: those of the grant or fewer. */
  readonly scopes: readonly Scope[]
  readonly game: GameAccount | null
}

/** Opens a grant and issues its first tokens. */
export async function openGrant(
  tx: Tx,
  services: Services,
  issue: Issue,
  now: Date,
): Promise<Static<typeof TokenResponse>> {
  // The statements are sent together, in this order.
  const [, response] = await Promise.all([
    insertGrant(tx, { ...issue.grant, userGuid: issue.subject.guid }, now),
    giveTokens(tx, services, issue, now),
  ])
  return response
}

/** Issues the next tokens of an existing grant. */
export async function renewGrant(
  tx: Tx,
  services: Services,
  issue: Issue,
  now: Date,
): Promise<Static<typeof TokenResponse>> {
  const [, response] = await Promise.all([
    noteGrantUse(tx, issue.grant.guid, now),
    giveTokens(tx, services, issue, now),
  ])
  return response
}

async function giveTokens(
  tx: Tx,
  { tokens }: Services,
  { grant, subject, scopes, game }: Issue,
  now: Date,
): Promise<Static<typeof TokenResponse>> {
  const refreshToken = newSecret()
  const expiresAt = new Date(now.getTime() + refreshTokenLifetime * 1000)
  const [, accessToken] = await Promise.all([
    insertRefreshToken(tx, digestOf(refreshToken), grant.guid, expiresAt),
    tokens.issue(tx, subject, { scopes, grant: { ...grant, game } }, now),
  ])
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: tokens.lifetimeSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
