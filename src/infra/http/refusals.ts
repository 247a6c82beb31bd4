import { conflict, forbidden, unauthenticated } from '../../core/problem.ts'

/** Refusals before the body of a request is read. */

export const tokenMissing = () =>
  unauthenticated('token.missing', 'Sign in: this needs an access token in the Authorization header.')

export const tokenInvalid = () =>
  unauthenticated('token.invalid', 'The access token is not valid or no longer valid; get a new one.', {
    error: 'invalid_token',
    error_description: 'The access token is invalid, expired or revoked',
  })

export const notSignedIn = () => unauthenticated('token.missing', 'Sign in on the website first.')

export const crossSite = () => forbidden('request.cross_site', 'This may be called only from the website itself.')

/** @param who the subject of the sentence "Only … may do this" */
export const roleMissing = (who: string) => forbidden('role.missing', `Only ${who} may do this.`)

/** The refusal of what is not possible in a rehearsal. (R1) */
export const notPossibleInRehearsals = () =>
  conflict(
    'rehearsal.not_possible',
    'This is not possible in a rehearsal: nothing in it leaves it or concerns accounts.',
  )

/** A rehearsal asks no other service, and the answer is not stored here. (R3) */
export const noOutside = () =>
  conflict(
    'rehearsal.no_outside',
    'A rehearsal asks no other service, and this service does not know the answer; name something that it knows.',
  )

/**
 * Checks what an operation is asked to do that is otherwise possible in rehearsals. (R1)
 * @param reachesOut whether it would leave the rehearsal, or concern accounts
 * @throws Problem `rehearsal.not_possible`
 */
export function checkReach({ rehearsalOf }: { readonly rehearsalOf: string | null }, reachesOut: boolean): void {
  if (rehearsalOf !== null && reachesOut) throw notPossibleInRehearsals()
}
