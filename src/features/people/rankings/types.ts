export type RankingPlatform = 'ranking-a' | 'ranking-b'

/** An account on a ranking platform. */
export interface Account {
  readonly platform: RankingPlatform
  readonly externalId: string
}

/** A platform's answer about an account. */
export interface Profile extends Account {
  /** null if there is no such account. */
  readonly name: string | null
  /** ISO 3166-1 alpha-2 in upper case. */
  readonly country: string | null
  /** 1 is best; null while unranked. */
  readonly rank: number | null
  readonly fetchedAt: Date
}

/** What is known about an account now; `unreachable` if neither the platform nor the cache has a usable answer. */
export type Finding = Profile | 'unreachable'
