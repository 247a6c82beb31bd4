import { type Actor, isSignedIn } from '../../../core/actor.ts'
import { conflict, forbidden, unauthenticated } from '../../../core/problem.ts'
import { isHeld } from '../../../core/scopes.ts'
import { scopeMissing } from '../../../infra/http/admission.ts'
import { isOrganiser, organisers } from '../../tournaments/access/policy.ts'
import { isPublic } from '../../tournaments/tournaments/policy.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { Variant } from './types.ts'

/**
 * The organiser and admins take every package, and that of what everybody may read as soon as there is anything that
 * everybody may read. Everybody takes that one once the tournament is completed. (P4)
 * @throws Problem `token.missing` `scope.missing` `role.missing` `package.draft` `package.not_public_yet`
 */
export function checkMayTake(
  actor: Actor,
  tournament: Pick<Tournament, 'status' | 'approvedAt' | 'rehearsalOf'>,
  variant: Variant,
): void {
  if (variant !== 'public') {
    if (!isSignedIn(actor)) throw unauthenticated('token.missing', 'Sign in to take this package.')
    if (!isHeld(actor.scopes, 'rest:read', 'query')) throw scopeMissing('rest:read')
    if (!isOrganiser(actor)) throw forbidden('role.missing', `Only ${organisers.who} may do this.`)
    return
  }
  if (isPublic(tournament) && tournament.status === 'completed') return
  if (!isOrganiser(actor)) {
    throw forbidden('package.not_public_yet', 'Everybody may take this package once the tournament is completed.')
  }
  if (!isPublic(tournament)) throw conflict('package.draft', 'Of a draft there is nothing that everybody may read.')
}
