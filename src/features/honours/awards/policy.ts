import type { Actor } from '../../../core/actor.ts'
import { badgeManagers } from '../badges/policy.ts'
import type { Edition } from './types.ts'

/** A draft, and one that was cancelled, are there for managers alone. (awards: States of an edition) */
export function maySeeEdition(actor: Actor, { status }: Pick<Edition, 'status'>): boolean {
  return (status !== 'draft' && status !== 'cancelled') || badgeManagers.allows(actor, {})
}
