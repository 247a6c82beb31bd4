import type { Actor } from '../../core/actor.ts'
import { forbidden } from '../../core/problem.ts'

/** Checks that a decision comes from our own page, and from the same session. */

/** Browsers name the page that a form comes from; forms of other sites are refused. (RFC 6749 §10.12; D41) */
export function checkOwnPage(
  headers: { readonly origin?: string; readonly 'sec-fetch-site'?: string },
  publicUrl: string,
): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs = origin === undefined ? site === undefined || site === 'same-origin' : origin === publicUrl
  if (!isOurs) throw forbidden('request.cross_site', 'This decision does not come from our own page.')
}

/** A page is valid for the session that it was made for, for half an hour. (RFC 6749 §10.12; D41) */
export function checkSameSignIn<T extends { readonly sessionGuid: string }>(request: T | null, actor: Actor): T {
  if (request === null || actor.sessionGuid === null || request.sessionGuid !== actor.sessionGuid) {
    throw forbidden(
      'decision.stale',
      'This page was open for too long, or you have signed in anew since; go back to the application and begin again.',
    )
  }
  return request
}
