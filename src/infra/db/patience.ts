/** How long the database may take, in milliseconds. */
export interface Patience {
  /** Maximum time of the database for a statement. */
  readonly statement: number
  /** Additional time for the answer to arrive, before the connection counts as dead. */
  readonly answer: number
  /**
   * Maximum time to open a connection, and for a transaction to wait for one: under load, transactions queue rather
   * than fail.
   */
  readonly connection: number
  /** Maximum time of a ping. */
  readonly ping: number
}

export const defaultPatience: Patience = { statement: 15_000, answer: 5_000, connection: 20_000, ping: 2_000 }
