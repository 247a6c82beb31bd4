import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { notifyEach } from '../../../people/notifications/commands.ts'
import { listGuidsByIdentifier } from '../../../people/users/store/identifiers.ts'
import { grantedNotice, type NamedRecipient, readAwardedAt, sortRecipients } from '../rules/grants.ts'
import type { Badge, Grant } from '../types.ts'
import { grantBadge } from './granting.ts'

export interface GrantedByHand {
  readonly granted: readonly Grant[]
  readonly alreadyHeld: readonly string[]
  /** Positions of unknown users in the list. */
  readonly unknown: readonly number[]
}

/**
 * Grants a badge to the users that a manager names, and notifies each of them. Nobody gets it twice. (B1, B4; badges:
 * Operations)
 * @throws Problem `badge.unknown`, `badge.retired`, `badge.invalid`
 */
export async function grantByHand(
  tx: Tx,
  actor: SignedIn,
  badge: Pick<Badge, 'guid' | 'name'>,
  { users, awardedAt }: { readonly users: readonly NamedRecipient[]; readonly awardedAt?: string | null },
  now: Date,
): Promise<GrantedByHand> {
  const at = readAwardedAt(awardedAt, now)
  const named = users.map(({ user, ...rest }) => ({ ...rest, user: user === '@me' ? actor.guid : user }))
  const guids = await listGuidsByIdentifier(
    tx,
    named.map(({ user }) => user),
  )
  const { recipients, repeated, unknown } = sortRecipients(named, guids, at)
  const done = await grantBadge(tx, badge.guid, recipients, { source: 'manual', by: actor.guid, now })
  await notifyEach(
    tx,
    done.granted.map(({ userGuid }) => userGuid),
    grantedNotice(badge),
    now,
  )
  // Accounts that were deleted after they were looked up count as unknown.
  const gone = named.flatMap(({ user }, index) => (done.unknown.includes(guids.get(user) ?? '') ? [index] : []))
  const again = repeated.filter((guid) => !done.unknown.includes(guid))
  return {
    granted: done.granted,
    alreadyHeld: [...new Set([...done.alreadyHeld, ...again])],
    unknown: [...unknown, ...gone].sort((one, other) => one - other),
  }
}
