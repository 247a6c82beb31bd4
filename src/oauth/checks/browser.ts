import type { Actor } from '../../core/actor.ts'
import { forbidden } from '../../core/problem.ts'

/** Whether it is our own page, and the same sign-in, from which a decision comes. */

/** A browser tells from which page a form comes; those of other sites decide nothing. (RFC 6749 §10.12; D41) */
export function checkOwnPage(
  headers: { readonly origin?: string; readonly 'sec-fetch-site'?: string },
  publicUrl: string,
): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs = origin === undefined ? site === undefined || site === 'same-origin' : origin === publicUrl
  if (!isOurs) throw forbidden('request.cross_site', 'This decision does not come from our own page.')
}

/** A page decides for the sign-in that it was made for, within half an hour. (RFC 6749 §10.12; D41) */
export function checkSameSignIn<T extends { readonly sessionGuid: string }>(request: T | null, actor: Actor): T {
  if (request === null || actor.sessionGuid === null || request.sessionGuid !== actor.sessionGuid) {
    throw forbidden(
      'decision.stale',
      'This page was open for too long, or you have signed in anew since; go back to the application and begin again.',
    )
  }
  return request
}
