import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyEach } from '../../../people/notifications/commands.ts'
import { unknownBadge } from '../rules/badges.ts'
import { checkIsHeld, revokedNotice, unknownGrant } from '../rules/grants.ts'
import { lockBadge } from '../store/badges.ts'
import { findGrant, revokeGrants } from '../store/grants.ts'
import type { Badge, Grant } from '../types.ts'

export interface Revoking {
  readonly reason: string
  /** GUID of the user who revokes; null for the service itself. */
  readonly by: string | null
  readonly now: Date
}

/**
 * Revokes a badge of users who hold it. The rows stay, with the reason. It notifies nobody: the caller knows the
 * occasion. Of several badges, the one with the lowest GUID must be revoked first. (B1)
 * @throws Problem `badge.unknown`
 */
export async function revokeBadge(
  tx: Tx,
  badgeGuid: string,
  userGuids: readonly string[],
  { reason, by, now }: Revoking,
): Promise<readonly Grant[]> {
  const badge = await lockBadge(tx, badgeGuid)
  if (badge === undefined) throw unknownBadge()
  const revoked = await revokeGrants(tx, badgeGuid, userGuids, reason, now)
  const users = revoked.map(({ userGuid }) => userGuid)
  if (users.length > 0) {
    emit(tx, {
      type: 'badge.revoked',
      subject: badgeGuid,
      actor: by,
      before: { users },
      after: { reason },
      touches: users,
    })
  }
  return revoked
}

/**
 * Revokes one grant, and notifies the holder with the reason. (badges: Operations)
 * @throws Problem `badge.unknown`, `badge.grant_unknown`, `badge.grant_revoked`
 */
export async function revokeGrant(
  tx: Tx,
  actor: SignedIn,
  { guid: badgeGuid, name }: Pick<Badge, 'guid' | 'name'>,
  identifier: string,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<Grant> {
  if ((await lockBadge(tx, badgeGuid)) === undefined) throw unknownBadge()
  const grant = isGuid(identifier) ? await findGrant(tx, badgeGuid, normaliseGuid(identifier)) : undefined
  if (grant === undefined) throw unknownGrant()
  checkIsHeld(grant)
  const [revoked] = await revokeBadge(tx, badgeGuid, [grant.userGuid], { reason, by: actor.guid, now })
  if (revoked === undefined) throw new Error('a grant that is held was to be revoked')
  await notifyEach(tx, [grant.userGuid], revokedNotice({ guid: badgeGuid, name }, reason), now)
  return revoked
}
