import type { ProvenPlayer, TicketProof } from '../../../infra/clients/game-proof/types.ts'

/** What a game sends to prove who plays. (AS27) */
export type GameProof =
  | {
      readonly platform: 'scoresaber'
      readonly platformId: string
      readonly platformUsername: string
      readonly proofPlayerId: string
      readonly proofNonce: string
    }
  | (TicketProof & { readonly scopes?: readonly 'compcube'[] })

/** A proof that its platform has accepted. */
export interface Proven {
  readonly player: ProvenPlayer
  /** What the proof is known by, so that it is good once. */
  readonly digest: Buffer
  /** What the token says beside the scopes of games. */
  readonly scopes: readonly string[]
}
