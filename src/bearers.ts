import type { ViewTokens } from './features/overlays/overlays/cache.ts'
import { type Bearer, isViewToken, type VerifyAgain } from './infra/http/admission.ts'
import type { Tokens } from './oauth/tokens.ts'

/** Verifies both kinds of bearer tokens: users' access tokens and overlays' view tokens. */
export interface BearerVerifier {
  readonly verify: (token: string, now: Date) => Promise<Bearer | null>
  readonly verifyAll: (tokens: readonly string[], now: Date) => Promise<readonly (Bearer | null)[]>
  readonly verifyAgain: VerifyAgain
  /** The cached result for a token, whatever has happened since; null where none is cached. */
  readonly remembered: (token: string, now: Date) => Bearer | null
}

export function bearersBy(tokens: Tokens, viewTokens: ViewTokens): BearerVerifier {
  return {
    verify: (token, now) => (isViewToken(token) ? viewTokens.verify(token, now) : tokens.verify(token, now)),

    async verifyAll(asked, now) {
      const ofUsers = asked.filter((token) => !isViewToken(token))
      const [bearers, ...views] = await Promise.all([
        ofUsers.length === 0 ? [] : tokens.verifyAll(ofUsers, now),
        ...asked.filter(isViewToken).map((token) => viewTokens.verify(token, now)),
      ])
      const [nextOfUser, nextView] = [bearers.values(), views.values()]
      return asked.map((token) => (isViewToken(token) ? nextView : nextOfUser).next().value ?? null)
    },

    verifyAgain: (known, now) =>
      'viewToken' in known ? viewTokens.verifyAgain(known, now) : tokens.verifyAgain(known, now),

    // View tokens send no commands, so they are never looked up in the cache.
    remembered: (token, now) => (isViewToken(token) ? null : tokens.remembered(token, now)),
  }
}
