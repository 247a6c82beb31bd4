import type { Cookie } from '../../../../core/operation.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { sessionLifetimeSeconds, signInLifetimeSeconds } from './sessions.ts'

/**
 * The website's cookies. The kernel makes them HttpOnly, SameSite=Lax and, except in the local environment, Secure.
 * (D19)
 */

export type Cookies = Readonly<Record<string, string | undefined>>

const sessionName = 'downbeat_session'
const signInName = 'downbeat_sign_in'
/** The path to which the cookie of a sign-in attempt is restricted. */
const signInPath = '/api/auth/chat'

export function sessionCookie(secret: string): Cookie {
  return { name: sessionName, value: secret, maxAgeSeconds: sessionLifetimeSeconds, path: '/' }
}

export const noSessionCookie: Cookie = { name: sessionName, value: null, maxAgeSeconds: 0, path: '/' }

/** The digest by which the session is found; null without a cookie of the right form. */
export function sessionDigest(cookies: Cookies): Buffer | null {
  const secret = cookies[sessionName]
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? digestOf(secret) : null
}

export function signInCookie(attempt: string): Cookie {
  return { name: signInName, value: attempt, maxAgeSeconds: signInLifetimeSeconds, path: signInPath }
}

export const noSignInCookie: Cookie = { name: signInName, value: null, maxAgeSeconds: 0, path: signInPath }

export function readSignInCookie(cookies: Cookies): string {
  return cookies[signInName] ?? ''
}
