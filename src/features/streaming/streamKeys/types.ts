/** What a user's encoder publishes with. */
export interface StreamKey {
  readonly guid: string
  readonly userGuid: string
  readonly label: string
  /** By which the key is found. */
  readonly digest: Buffer
  /** From which it is shown again. */
  readonly sealed: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** End of a rotation's grace; null for a key that goes on. */
  readonly expiresAt: Date | null
  /** Where it was used from, the newest last. */
  readonly networks: readonly string[]
}
