import type { Tx } from '../../../../infra/db/database.ts'
import { grantBadge } from '../../badges/commands/granting.ts'
import { revokeBadge } from '../../badges/commands/revoking.ts'
import { badgesOf, type Winner } from '../rules/winners.ts'
import { listGivenBadges } from '../store/results.ts'

/** Badges of winners. */

interface Awarding {
  /** GUID of whoever publishes; null for the clock. */
  readonly by: string | null
  readonly now: Date
}

/** As much of a name as a grant's label holds. */
const labelCharacters = 60

/**
 * Winners get the badges of their categories, the badge of the lowest GUID first. One that was retired since is given to nobody:
 * results do not wait for it. (A12, B4)
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

/** Who has won by the results before and does not by those after loses the badge, and the other way round. (A11) */
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
