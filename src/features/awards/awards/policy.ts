import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import { badgeManagers } from '../badges/policy.ts'
import { hasReached } from './rules/phases.ts'
import type { Edition, PlacedNominee } from './types.ts'

/** Only managers see drafts and cancelled editions. (awards: States of an edition) */
export function maySeeEdition(actor: Actor, { status }: Pick<Edition, 'status'>): boolean {
  return (status !== 'draft' && status !== 'cancelled') || badgeManagers.allows(actor, {})
}

/** Everybody sees nominees from `voting` on; managers also see them before. (awards: Operations) */
export function maySeeNominees(actor: Actor, edition: Pick<Edition, 'status'>): boolean {
  return hasReached(edition, 'voting') || badgeManagers.allows(actor, {})
}

export function isDecider(actor: Actor, { deciders }: Pick<PlacedNominee, 'deciders'>): boolean {
  return actor.guid !== null && deciders.includes(actor.guid)
}

/** The users who may decline a nomination. (awards: Operations, decline) */
export const deciders: Policy<{ readonly nominee: PlacedNominee }> = policy(
  'the nominated user, or the organiser or captain of what is nominated,',
  (actor, { nominee }) => isDecider(actor, nominee),
)
