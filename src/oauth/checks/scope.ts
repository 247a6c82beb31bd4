import { isScope, type Scope, withImplied } from '../../core/scopes.ts'
import { refusal } from '../problems.ts'
import type { GameAccount } from '../store/people.ts'
import type { Client } from '../types.ts'

/** What may be asked for, and what may be renewed. */

/**
 * Every scope that is asked for must exist and be the application's to ask for, by name or implied by one of those; left
 * out, all of the application's are meant. (RFC 6749 §3.3; D18)
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

/** What was granted lasts only as long as the application may still ask for it. (D23) */
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
 * Nobody is asked twice for the same, except where any program on the user's machine could pass as the application: a
 * public one whose answer stays on that machine. (RFC 8252 §8.6)
 */
export function mayRemember({ type }: Client, redirectUri: string): boolean {
  return type === 'confidential' || redirectUri.startsWith('https:')
}

/** Whether what is asked for is no more than what was agreed to before, so that nobody need be asked again. (RFC 6749 §10.2) */
export function isConsented(asked: readonly Scope[], agreed: readonly Scope[]): boolean {
  const reachable = withImplied(agreed)
  return asked.every((scope) => reachable.has(scope))
}

/** A game is signed in with an account that its player has proven to be theirs. (RFC 6749 §3.3; AS2) */
export function checkGameAccount(account: GameAccount | undefined): GameAccount {
  if (account !== undefined) return account
  throw refusal(
    'invalid_scope',
    'scope.no_game_account',
    'The scope assistant:game needs a verified link to a ranking platform; link one in the settings first.',
  )
}
