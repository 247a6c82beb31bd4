import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid } from '../../core/problem.ts'
import { webAddressFault } from '../../core/web.ts'
import type { Application, ApplicationType } from '../types.ts'

/** The members of an application that its owner may change at any time. */
const detailNames = ['name', 'imageUrl', 'scopes', 'redirectUris'] as const
export type Details = Pick<Application, (typeof detailNames)[number]>

/** Maximum number of applications per user, so that the list fits into one answer. (D8) */
export const maxApplications = 100

/** Refuses to register more applications than one list shows. (D8) */
export function checkMayRegister(registered: number): void {
  if (registered < maxApplications) return
  throw invalid(
    'application.limit_reached',
    `You have ${maxApplications} applications, as many as one user may have; delete one that is no longer used.`,
  )
}

/**
 * Confidential applications have a secret. Public ones have none, because they run where anybody could read it. (D23)
 */
export function hasSecret(type: ApplicationType): boolean {
  return type === 'confidential'
}

/** Refuses to replace the secret of an application that has none. (D23) */
export function checkHasSecret({ type }: Pick<Application, 'type'>): void {
  if (hasSecret(type)) return
  throw conflict('application.public', 'This application is public: it has no secret, and proves itself by S256 PKCE.')
}

/** Checks the details of an application, at its registration and at later changes. (D23) */
export function checkDetails({ name, imageUrl, redirectUris }: Partial<Details>, mediaUrl: string): void {
  if (name !== undefined) checkName(name)
  if (imageUrl != null) checkImageUrl(imageUrl, mediaUrl)
  if (redirectUris !== undefined) checkRedirectUris(redirectUris)
}

/**
 * The members that a change really changes; empty if all have these values already. The type of an application decides
 * how it authenticates, and is fixed at its registration. (D9, D23)
 */
export function changesOf(
  application: Application,
  input: Partial<Details> & { readonly type?: ApplicationType },
  mediaUrl: string,
): Partial<Details> {
  if (input.type !== undefined && input.type !== application.type) {
    throw invalid(
      'application.type_fixed',
      `The type of an application cannot change; register another one that is ${input.type}.`,
    )
  }
  const given = detailNames.filter((name) => input[name] !== undefined)
  if (given.length === 0) {
    throw invalid('application.nothing_given', `Give at least one of ${detailNames.join(', ')} to change.`)
  }
  checkDetails(input, mediaUrl)
  const different = given.filter((name) => !isDeepStrictEqual(input[name], application[name]))
  return Object.fromEntries(different.map((name) => [name, input[name]]))
}

export const maxNameLength = 64

/** Letters of any script with their marks, but no invisible characters: two names that differ must look different. */
const namePattern =
  /^[[\p{L}\p{Nd}]--\p{DI}][[\p{L}\p{M}\p{Nd}]--\p{DI}]*(?: [[\p{L}\p{Nd}]--\p{DI}][[\p{L}\p{M}\p{Nd}]--\p{DI}]*)*$/v

/** A name has 1 to 64 characters: letters, digits, and single spaces between them. (D23) */
export function checkName(name: string): void {
  if (namePattern.test(name) && Array.from(name).length <= maxNameLength) return
  throw invalid(
    'application.name_invalid',
    `The name of an application must be 1 to ${maxNameLength} letters and digits, with single spaces between words.`,
  )
}

/**
 * The image of an application is one of this service's media, at the configured media address, or has an https address
 * elsewhere. (rest-interface: Authentication, 5; M24)
 */
export function checkImageUrl(url: string, mediaUrl: string): void {
  const fault = webAddressFault(url) ?? (isSecure(new URL(url), mediaUrl) ? null : 'must start with https://')
  if (fault !== null) throw invalid('application.image_invalid', `The image address ${fault}.`)
}

function isSecure({ protocol, origin }: URL, mediaUrl: string): boolean {
  return protocol === 'https:' || origin === mediaUrl
}

export const maxRedirectUris = 20
export const maxRedirectUriLength = 1_000
const shownLength = 100

/** Checks all redirect addresses of an application, because codes are sent to them. (D23) */
export function checkRedirectUris(redirectUris: readonly string[]): void {
  for (const address of redirectUris) {
    const fault = redirectUriFault(address)
    if (fault === null) continue
    const shown = JSON.stringify(address.slice(0, shownLength))
    throw invalid('application.redirect_invalid', `The redirect address ${shown} ${fault}.`)
  }
}

/**
 * Checks a redirect address: it must be absolute; use https, or http on the own machine or network; have no wildcard,
 * fragment or user information; and be written as browsers write it, because it is later compared as text.
 * (rest-interface: Authentication 6; D23)
 * @returns why the address is refused, as the end of a sentence; null for a valid one
 */
export function redirectUriFault(address: string): string | null {
  if (!/^[\x21-\x7e]*$/.test(address)) return 'must consist of ASCII characters without white space; encode all others'
  if (address.includes('*')) return 'must be exact, without the wildcard *'
  if (address.includes('#')) return 'must not have a fragment, not even an empty one'
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    return 'must be an absolute address such as https://example.org/callback'
  }
  const url = new URL(address)
  // The parser drops an empty user name, and accepts additional slashes before the host.
  const authority = /^[^:]*:\/\/([^/?\\]*)/.exec(address)?.[1] ?? ''
  if (authority.includes('@') || url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password, not even an empty one'
  }
  if (url.protocol === 'http:' && !isNear(url.hostname)) {
    return 'must start with https://; http:// is for localhost, 127.0.0.1, [::1] and hosts ending .local alone'
  }
  // The slash after a bare host is usually omitted, and never distinguishes two addresses.
  if (url.href === address || url.href === `${address}/`) return null
  return `must be written as browsers write it: ${url.href}`
}

const ownMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether requests to a host stay on the own machine or the local network. */
function isNear(hostname: string): boolean {
  return ownMachine.has(hostname) || /^(?:[^.]+\.)+local$/.test(hostname)
}
