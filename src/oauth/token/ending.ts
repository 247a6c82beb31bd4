import type { Tx } from '../../infra/db/database.ts'
import { emit } from '../../infra/events/emit.ts'
import { digestOf } from '../../infra/secrets.ts'
import type { Services } from '../../services.ts'
import { checkTokenOfClient } from '../checks/grant.ts'
import type { Stolen } from '../problems.ts'
import { lockRefreshToken, revokeGrant } from '../store/grants.ts'
import { revokeAccessToken } from '../store/tokens.ts'
import type { Client } from '../types.ts'

/** Ends tokens before their expiry. */

/**
 * Revokes a token: a refresh token with its whole grant, an access token alone. A token that is unknown or no longer
 * valid is not an error. (RFC 7009 §2.1, §2.2)
 */
export async function endToken(tx: Tx, { tokens }: Services, client: Client, token: string, now: Date): Promise<void> {
  const refresh = await lockRefreshToken(tx, digestOf(token))
  if (refresh !== undefined) {
    checkTokenOfClient(refresh.grant, client)
    const grant = await revokeGrant(tx, refresh.grant.guid, now)
    if (grant === undefined) return
    const { guid, userGuid, clientId } = grant
    return emit(tx, { type: 'grant.revoked', subject: guid, actor: userGuid, after: { clientId }, rights: true })
  }
  const bearer = (await tokens.verify(token, now))?.actor
  if (bearer?.token == null) return
  checkTokenOfClient(bearer.token, client)
  const { jti } = bearer.token
  if (await revokeAccessToken(tx, jti, now)) {
    const after = { clientId: client.clientId }
    emit(tx, { type: 'token.revoked', subject: jti, actor: bearer.guid, after, rights: true })
  }
}

/** Ends a grant whose code or token was used twice, and emits an event for its user. (D22, D38) */
export async function endStolenGrant(tx: Tx, { grantGuid, stolen }: Stolen, now: Date): Promise<void> {
  const grant = await revokeGrant(tx, grantGuid, now)
  if (grant === undefined) return
  const { userGuid, clientId } = grant
  emit(tx, {
    type: 'token.reused',
    subject: userGuid,
    actor: null,
    after: { clientId, kind: stolen },
    touches: [grantGuid],
    rights: true,
  })
}
