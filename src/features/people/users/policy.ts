import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import type { GlobalRole } from '../../../core/roles.ts'

/** What administrators may see of all accounts, and of what awaits a decision. (D24) */
export const ownersAndDevelopers: Policy = policy('owners and developers', (actor) => actor.globalRoles.has('role:dev'))

/** Developers may change any account but those of owners; owners any. (D24, D39) */
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
