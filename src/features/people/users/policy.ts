import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import type { GlobalRole } from '../../../core/roles.ts'

/** Administrators, who may see all accounts and everything that waits for a decision. (D24) */
export const ownersAndDevelopers: Policy = policy('owners and developers', (actor) => actor.globalRoles.has('role:dev'))

/** Developers may change any account except those of owners; owners may change any account. (D24, D39) */
export function mayAdminister(
  actor: Pick<Actor, 'globalRoles'>,
  user: { readonly globalRoles: readonly GlobalRole[] },
): boolean {
  const isOwner = actor.globalRoles.has('role:owner')
  return isOwner || (actor.globalRoles.has('role:dev') && !user.globalRoles.includes('role:owner'))
}

export const administrators: Policy<{ readonly user: { readonly globalRoles: readonly GlobalRole[] } }> = policy(
  'owners and, for accounts of others than owners, developers',
  (actor, { user }) => mayAdminister(actor, user),
)
