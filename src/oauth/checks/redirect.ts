import { refusal } from '../problems.ts'
import type { Client } from '../types.ts'

/** Checks the addresses that browsers are redirected to. */

/**
 * The address must equal one that the application has registered, character for character; otherwise there is no
 * redirect at all. (RFC 9700 §4.1.3; rest-interface: Authentication, 6)
 */
export function checkRedirectRegistered(client: Client, asked: readonly string[]): string {
  const [redirectUri, ...more] = asked
  if (redirectUri === undefined || more.length > 0 || !client.redirectUris.includes(redirectUri)) {
    throw refusal(
      'invalid_request',
      'redirect.unregistered',
      `The redirect_uri of this request is not one that ${client.name} has registered.`,
    )
  }
  return redirectUri
}

/** The exchange must name the same address that the code was sent to. (RFC 6749 §4.1.3) */
export function checkRedirectSame(code: { readonly redirectUri: string }, redirectUri: string): void {
  if (code.redirectUri !== redirectUri) {
    throw refusal('invalid_grant', 'code.redirect_differs', 'The code was sent to another redirect_uri.')
  }
}
