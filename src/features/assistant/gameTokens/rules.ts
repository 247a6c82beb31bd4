import { type Problem, unauthenticated, unavailable } from '../../../core/problem.ts'
import type { ProvenPlayer } from '../../../infra/clients/game-proof/types.ts'
import type { GameProof } from './types.ts'

/** A ticket or nonce is good once, and is known for ten minutes. (AS27) */
export const proofLifetimeMs = 600_000

/**
 * What makes a proof the same as another, whatever else was sent with it: tickets are hexadecimal, in which capitals say nothing
 * new. (AS27)
 */
export function identityOf(proof: GameProof): string {
  return 'ticket' in proof ? `b:${proof.ticket.toLowerCase()}` : `a:${proof.proofNonce.toLowerCase()}`
}

/** The proof is of the account that it is to prove. (AS27) */
export function checkSubject(proof: GameProof): void {
  if (!('ticket' in proof) && proof.proofPlayerId !== proof.platformId) throw proofRefused()
}

/** Whoever asks for `compcube` by a ticket is given both words that servers outside know it by. (section 2, game column) */
export function furtherScopesOf(proof: GameProof): string[] {
  return 'ticket' in proof && proof.scopes?.includes('compcube') === true ? ['compsystem', 'compcube'] : []
}

/** Under which links of users a player of a ranking platform is found. (AS28) */
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
