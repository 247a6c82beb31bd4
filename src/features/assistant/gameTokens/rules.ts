import { type Problem, unauthenticated, unavailable } from '../../../core/problem.ts'
import type { ProvenPlayer } from '../../../infra/clients/game-proof/types.ts'
import type { GameProof } from './types.ts'

/** A ticket or nonce may be used once, and is remembered for ten minutes. (AS27) */
export const proofLifetimeMs = 600_000

/**
 * The identity of a proof, which ignores all other members. It is in lower case, because a ticket is hexadecimal.
 * (AS27)
 */
export function identityOf(proof: GameProof): string {
  return 'ticket' in proof ? `b:${proof.ticket.toLowerCase()}` : `a:${proof.proofNonce.toLowerCase()}`
}

/** The proof must be of the account that the game names. (AS27) */
export function checkSubject(proof: GameProof): void {
  if (!('ticket' in proof) && proof.proofPlayerId !== proof.platformId) throw proofRefused()
}

/**
 * A game that asks for `compcube` with a ticket gets both names under which other servers know the scope. (section 2,
 * game column)
 */
export function furtherScopesOf(proof: GameProof): string[] {
  return 'ticket' in proof && proof.scopes?.includes('compcube') === true ? ['compsystem', 'compcube'] : []
}

/** The platform of the verified link by which a player's user is found. (AS28) */
export function linkPlatformOf({ platform }: Pick<ProvenPlayer, 'platform'>): 'ranking-a' | 'ranking-b' {
  return platform === 'scoresaber' ? 'ranking-a' : 'ranking-b'
}

export function proofRefused(): Problem {
  return unauthenticated(
    'game.proof_refused',
    'The ranking platform does not confirm who plays, or this proof was used before; start the game again.',
  )
}

export function proofUnreachable(): Problem {
  return unavailable(
    'game.proof_unreachable',
    'The ranking platform does not say now who plays; try again in a few minutes.',
  )
}

export function proofOff(): Problem {
  return unavailable('game.proof_unreachable', 'Games cannot prove who plays by this ranking platform here.')
}
