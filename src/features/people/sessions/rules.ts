import ipaddr from 'ipaddr.js'
import type { Cookie } from '../../../core/operation.ts'
import { invalid } from '../../../core/problem.ts'
import { digestOf } from '../../../infra/secrets.ts'

/**
 * The lifetime of a sign-in attempt in seconds: the user must return from the chat platform within ten minutes. (D19)
 */
export const signInLifetimeSeconds = 600

/** The lifetime of a website sign-in in seconds: thirty days, even if it is in use. (D19) */
export const sessionLifetimeSeconds = 30 * 86_400

/**
 * The maximum length of a return path in characters: an application's authorization request must fit, and the cookie
 * must not exceed the browsers' limit.
 */
export const maxReturnPathLength = 2_500

/**
 * After signing in, the browser goes to a path of this website, never to another site: the author of a link must not
 * choose where a signed-in visitor lands. Browsers read `\` as `/`, and drop tabs and line ends. (D19)
 *
 * @throws Problem `sign_in.return_invalid`
 */
export function checkReturnPath(path: string): void {
  const local = /^\/(?![/\\])/.test(path)
  if (!local || path.length > maxReturnPathLength || !path.isWellFormed() || /\p{Cc}/u.test(path)) {
    throw invalid(
      'sign_in.return_invalid',
      `\`return_to\` must be a path on this website that begins with a single / and has at most ${maxReturnPathLength} characters.`,
    )
  }
}

/** Escapes a path for a `Location` header; what is escaped already stays as it is. (RFC 3986 §2.1) */
export function locationOf(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

const noteIntervalMs = 3_600_000

/** The last use of a sign-in is saved at most once an hour. */
export function isNoteDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= noteIntervalMs
}

const maxUserAgentLength = 300

/** The beginning of a client's user agent, enough for the user to recognise the sign-in. */
export function shownUserAgent(header: string | null): string | null {
  return header?.slice(0, maxUserAgentLength) || null
}

/** The maximum number of places that are kept per user; the most recently used ones stay. */
export const maxPlaces = 50

/** In seconds: a place that was not used for half a year is deleted. */
export const placeLifetimeSeconds = 180 * 86_400

/**
 * Returns the place of an address: an IPv4 network of 24 bits or an IPv6 network of 48, as the addresses of one
 * internet connection usually change within it. All texts that are no address count as one place, so that a sign-in
 * cannot avoid the notification by hiding its address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  const parsed = ipaddr.process(address)
  const kept = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6)
  return `${parsed.kind()} ${kept.join('.')}`
}

/** A user is notified of a sign-in from a new place, except for the account's first one. */
export function isNewPlace(known: readonly string[], place: string): boolean {
  return known.length > 0 && !known.includes(place)
}

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
