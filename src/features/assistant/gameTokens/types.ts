import type { ProvenPlayer, TicketProof } from '../../../infra/clients/game-proof/types.ts'

/** The proof that a game sends of who plays. (AS27) */
export type GameProof =
  | {
      readonly platform: 'scoresaber'
      readonly platformId: string
      readonly platformUsername: string
      readonly proofPlayerId: string
      readonly proofNonce: string
    }
  | (TicketProof & { readonly scopes?: readonly 'compcube'[] })

/** A proof that the ranking platform accepted. */
export interface Proven {
  readonly player: ProvenPlayer
  /** The digest of the proof, which prevents a second use. */
  readonly digest: Buffer
  /** The scopes of the token in addition to those of games. */
  readonly scopes: readonly string[]
}
