import { isScope, type Scope, withImplied } from '../../core/scopes.ts'
import { refusal } from '../problems.ts'
import type { GameAccount } from '../store/people.ts'
import type { Client } from '../types.ts'

/** Checks of requested and of renewed scopes. */

/**
 * Every requested scope must exist and be allowed to the application, directly or implied by an allowed one; without a
 * request, all of the application's scopes are meant. (RFC 6749 §3.3; D18)
 */
export function checkScope(asked: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  const words = new Set((asked ?? '').split(' ').filter((word) => word !== ''))
  if (words.size === 0) return allowed
  const reachable = withImplied(allowed)
  return [...words].map((word) => {
    if (!isScope(word))
      throw refusal('invalid_scope', 'scope.unknown', 'There is no such scope as one that was asked for.')
    if (!reachable.has(word)) {
      throw refusal('invalid_scope', 'scope.beyond', `The scope ${word} is beyond what may be asked for here.`)
    }
    return word
  })
}

/** The granted scopes that the application may still request. (D23) */
export function checkStillAllowed(
  granted: readonly Scope[],
  { scopes }: { readonly scopes: readonly Scope[] },
): Scope[] {
  const reachable = withImplied(scopes)
  const left = granted.filter((scope) => reachable.has(scope))
  if (left.length === 0) {
    throw refusal('invalid_grant', 'grant.nothing_left', 'The application may no longer have any of what was granted.')
  }
  return left
}

/**
 * Whether consent is remembered, so that the user is asked only once. Not for a public application whose redirect
 * address is on the user's machine, where any program could pass as the application. (RFC 8252 §8.6)
 */
export function mayRemember({ type }: Client, redirectUri: string): boolean {
  return type === 'confidential' || redirectUri.startsWith('https:')
}

/** Whether earlier consent covers the requested scopes, so that the user need not be asked again. (RFC 6749 §10.2) */
export function isConsented(asked: readonly Scope[], agreed: readonly Scope[]): boolean {
  const reachable = withImplied(agreed)
  return asked.every((scope) => reachable.has(scope))
}

/** The scope for games requires a game account that the user has verified. (RFC 6749 §3.3; AS2) */
export function checkGameAccount(account: GameAccount | undefined): GameAccount {
  if (account !== undefined) return account
  throw refusal(
    'invalid_scope',
    'scope.no_game_account',
    'The scope assistant:game needs a verified link to a ranking platform; link one in the settings first.',
  )
}
