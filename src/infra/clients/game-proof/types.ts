/** Who plays, as a ranking platform says it of what a game was given to prove it with. (AS27) */
export interface ProvenPlayer {
  readonly platform: 'scoresaber' | 'beatleader'
  readonly platformId: string
  readonly name: string
  /** null where the platform shows none. */
  readonly avatarUrl: string | null
}

/** What a game got from the platform that it was bought at, for ranking platform A. */
export interface NonceProof {
  readonly playerId: string
  readonly nonce: string
  /** As the game names its player; for players of whom the platform tells no name. */
  readonly name: string
}

export const ticketProviders = ['steamTicket', 'oculusTicket'] as const

/** The same for ranking platform B. */
export interface TicketProof {
  readonly provider: (typeof ticketProviders)[number]
  readonly ticket: string
}

export interface GameProver<Proof> {
  /**
   * null where the platform does not accept the proof.
   * @throws Unreachable when it gives no usable answer in time
   */
  prove(proof: Proof): Promise<ProvenPlayer | null>
}

/** null: switched off by the operator. */
export interface GameProvers {
  readonly a: GameProver<NonceProof> | null
  readonly b: GameProver<TicketProof> | null
}
