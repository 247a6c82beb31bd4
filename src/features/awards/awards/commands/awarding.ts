import type { Tx } from '../../../../infra/db/database.ts'
import { grantBadge } from '../../badges/commands/granting.ts'
import { revokeBadge } from '../../badges/commands/revoking.ts'
import { badgesOf, type Winner } from '../rules/winners.ts'
import { listGivenBadges } from '../store/results.ts'

/** Grants and moves the badges of winners. */

interface Awarding {
  /** GUID of the user who publishes; null if it happens at its date. */
  readonly by: string | null
  readonly now: Date
}

/** The maximum length of a grant's label. */
const labelCharacters = 60

/**
 * Grants the winners the badges of their categories, the badge with the lowest GUID first. A badge that was retired in
 * the meantime is not granted: the results do not wait for it. (A12, B4)
 */
export async function awardBadges(tx: Tx, winners: readonly Winner[], { by, now }: Awarding): Promise<void> {
  const badges = badgesOf(winners)
  const given = await listGivenBadges(tx, [...badges.keys()])
  for (const [badgeGuid, holders] of badges) {
    if (!given.has(badgeGuid)) continue
    const recipients = Array.from(holders, ([userGuid, name]) => {
      return { userGuid, label: Array.from(name).slice(0, labelCharacters).join(''), place: 1 }
    })
    await grantBadge(tx, badgeGuid, recipients, { source: 'award', by, now })
  }
}

/**
 * Revokes the badges of users who won only by the earlier results, and grants those of users who win only by the later
 * ones. (A11)
 */
export async function moveBadges(
  tx: Tx,
  before: readonly Winner[],
  after: readonly Winner[],
  { by, now, reason }: Awarding & { readonly reason: string },
): Promise<void> {
  const [held, due] = [badgesOf(before), badgesOf(after)]
  for (const badgeGuid of [...new Set([...held.keys(), ...due.keys()])].sort()) {
    const losers = [...(held.get(badgeGuid)?.keys() ?? [])].filter((user) => due.get(badgeGuid)?.has(user) !== true)
    if (losers.length > 0) await revokeBadge(tx, badgeGuid, losers, { reason, by, now })
    const gained = after.filter(({ category, userGuid }) => {
      return category.badgeGuid === badgeGuid && held.get(badgeGuid)?.has(userGuid) !== true
    })
    await awardBadges(tx, gained, { by, now })
  }
}
