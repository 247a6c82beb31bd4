/** The key with which a user's encoder publishes. */
export interface StreamKey {
  readonly guid: string
  readonly userGuid: string
  readonly label: string
  /** Finds the record of a key. */
  readonly digest: Buffer
  /** The encrypted key, from which it is shown again. */
  readonly sealed: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** The end of a rotation's grace period; null for a key without an end. */
  readonly expiresAt: Date | null
  /** The networks from which it was used, newest last. */
  readonly networks: readonly string[]
}
