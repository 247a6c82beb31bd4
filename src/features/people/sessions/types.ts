import type { Services } from '../../../services.ts'

/** A sign-in as its user sees it in the list of theirs. */
export interface SignIn {
  readonly guid: string
  /** Whether the website's cookie keeps it; otherwise a client was given a token. */
  readonly isWebsite: boolean
  readonly userAgent: string | null
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** Whether the token that asks came from it. */
  readonly isCurrent: boolean
}

/** What the authorization server tells of an application that acts for a user. */
export type GrantedApplication = Awaited<ReturnType<Services['tokens']['listGrantedApplications']>>[number]
