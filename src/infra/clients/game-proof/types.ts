/** A player whom a ranking platform has identified by a proof from the game. (AS27) */
export interface ProvenPlayer {
  readonly platform: 'scoresaber' | 'beatleader'
  readonly platformId: string
  readonly name: string
  /** Null where the platform shows none. */
  readonly avatarUrl: string | null
}

/** A proof for ranking platform A, which the game got from the store that sold it. */
export interface NonceProof {
  readonly playerId: string
  readonly nonce: string
  /** The player's name in the game; used when the platform has no name for them. */
  readonly name: string
}

export const ticketProviders = ['steamTicket', 'oculusTicket'] as const

/** A proof for ranking platform B. */
export interface TicketProof {
  readonly provider: (typeof ticketProviders)[number]
  readonly ticket: string
}

export interface GameProver<Proof> {
  /**
   * Null when the platform does not accept the proof.
   * @throws Unreachable when it gives no usable answer in time
   */
  prove(proof: Proof): Promise<ProvenPlayer | null>
}

/** Null: switched off by the operator. */
export interface GameProvers {
  readonly a: GameProver<NonceProof> | null
  readonly b: GameProver<TicketProof> | null
}
