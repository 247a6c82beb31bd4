import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockUsersForKeyShare } from '../../../people/users/store/users.ts'
import { checkIsGiven, unknownBadge } from '../rules/badges.ts'
import { lockBadge } from '../store/badges.ts'
import { insertGrants } from '../store/grants.ts'
import type { Grant, GrantSource, Recipient } from '../types.ts'

export interface Granting {
  readonly source: GrantSource
  /** GUID of the user who grants; null for the service itself. */
  readonly by: string | null
  readonly now: Date
}

export interface Granted {
  readonly granted: readonly Grant[]
  /** GUIDs of users who hold the badge already. (B1) */
  readonly alreadyHeld: readonly string[]
  /** GUIDs of users who do not exist or whose account was deleted. */
  readonly unknown: readonly string[]
}

/**
 * Grants a badge. Users who hold it already are left unchanged. It notifies nobody: the caller knows the occasion. Of
 * several badges, the one with the lowest GUID must be granted first. (B1, B4)
 * @param recipients each user once
 * @throws Problem `badge.unknown`, `badge.retired`
 */
export async function grantBadge(
  tx: Tx,
  badgeGuid: string,
  recipients: readonly Recipient[],
  { source, by, now }: Granting,
): Promise<Granted> {
  const badge = await lockBadge(tx, badgeGuid)
  if (badge === undefined) throw unknownBadge()
  checkIsGiven(badge)
  const known = await lockUsersForKeyShare(
    tx,
    recipients.map(({ userGuid }) => userGuid),
  )
  const [there, gone] = [true, false].map((isKnown) =>
    recipients.filter(({ userGuid }) => known.has(userGuid) === isKnown),
  ) as [Recipient[], Recipient[]]
  const granted = await insertGrants(tx, badge, there, { awardedAt: now, source, grantedBy: by })
  const users = granted.map(({ userGuid }) => userGuid)
  if (users.length > 0) {
    emit(tx, {
      type: 'badge.granted',
      subject: badge.guid,
      actor: by,
      after: { users, source },
      touches: users,
    })
  }
  const holders = new Set(users)
  return {
    granted,
    alreadyHeld: there.map(({ userGuid }) => userGuid).filter((guid) => !holders.has(guid)),
    unknown: gone.map(({ userGuid }) => userGuid),
  }
}
