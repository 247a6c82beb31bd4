import type { Actor } from '../../core/actor.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Db, Tx } from '../../infra/db/database.ts'
import { emit } from '../../infra/events/emit.ts'
import { digestOf, newSecret } from '../../infra/secrets.ts'
import { checkGameAccount, isConsented } from '../checks/scope.ts'
import { codeLifetime } from '../lifetimes.ts'
import { insertCode } from '../store/codes.ts'
import { lockConsentForKeyShare, upsertConsent } from '../store/grants.ts'
import { findGameAccount, type GameAccount } from '../store/people.ts'
import type { AuthorizationRequest } from './request.ts'

/** The effects of a user's consent. */

/** Saves which scopes the user grants to an application, in addition to earlier ones. */
export async function agree(
  tx: Tx,
  userGuid: string,
  clientId: string,
  scopes: readonly Scope[],
  now: Date,
): Promise<void> {
  const before = await lockConsentForKeyShare(tx, userGuid, clientId)
  await upsertConsent(tx, userGuid, clientId, [...new Set([...before, ...scopes])], now)
  if (isConsented(scopes, before)) return
  emit(tx, { type: 'application.granted', subject: userGuid, actor: userGuid, after: { clientId, scopes } })
}

/** Issues a code for the scopes that the user has granted. */
export async function giveCode(
  tx: Tx,
  actor: Actor & { guid: string },
  request: AuthorizationRequest,
  now: Date,
): Promise<string> {
  const code = newSecret()
  await insertCode(tx, {
    codeHash: digestOf(code),
    userGuid: actor.guid,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    challenge: request.challenge,
    scopes: [...request.scopes],
    expiresAt: new Date(now.getTime() + codeLifetime * 1000),
  })
  return code
}

/**
 * The game account for the token's claims; null where no scope is for games.
 * @throws Problem `scope.no_game_account`
 */
export async function gameAccountFor(db: Db, userGuid: string, scopes: readonly Scope[]): Promise<GameAccount | null> {
  return scopes.includes('assistant:game') ? checkGameAccount(await findGameAccount(db, userGuid)) : null
}
