import ipaddr from 'ipaddr.js'
import { invalid } from '../../../../core/problem.ts'

/** Seconds: a sign-in at the chat platform must come back within ten minutes. (D19) */
export const signInLifetimeSeconds = 600

/** Seconds: a website sign-in ends thirty days after it began, however much it is used. (D19) */
export const sessionLifetimeSeconds = 30 * 86_400

/** Characters: an authorization request of an application must fit, and its cookie must not pass what browsers keep. */
export const maxReturnPathLength = 2_500

/**
 * After signing in the browser goes on to a path of this website, never to another one: whoever makes up the link must
 * not choose where a signed-in visitor lands. Browsers read `\` as `/`, and drop tabs and line ends. (D19)
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

/** A path as a `Location` header can carry it; what is escaped already stays as it is. (RFC 3986 §2.1) */
export function locationOf(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

const noteIntervalMs = 3_600_000

/** The last use of a sign-in is updated once an hour at most. */
export function isNoteDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= noteIntervalMs
}

const maxUserAgentLength = 300

/** Enough of what a client calls itself for its user to recognise the sign-in. */
export function shownUserAgent(header: string | null): string | null {
  return header?.slice(0, maxUserAgentLength) || null
}

/** The most recently used places of a user that are kept. */
export const maxPlaces = 50

/** Seconds: a place that was not used for half a year is deleted. */
export const placeLifetimeSeconds = 180 * 86_400

/**
 * What counts as one place: an IPv4 network of 24 bits or an IPv6 network of 48, within which the addresses of one
 * internet connection usually change. All texts that are no address are one place, so that a sign-in cannot go unnoticed
 * by hiding its address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  const parsed = ipaddr.process(address)
  const kept = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6)
  return `${parsed.kind()} ${kept.join('.')}`
}

/** A user is notified of a sign-in from a new place, except from the first one ever. */
export function isNewPlace(known: readonly string[], place: string): boolean {
  return known.length > 0 && !known.includes(place)
}
