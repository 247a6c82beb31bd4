import type { Services } from '../../../services.ts'

/** A sign-in as its user sees it in their list. */
export interface SignIn {
  readonly guid: string
  /** Whether it is a website sign-in with a cookie; otherwise, a client got a token. */
  readonly isWebsite: boolean
  readonly userAgent: string | null
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** Whether the request's token came from it. */
  readonly isCurrent: boolean
}

/** An application that acts for a user, as the authorization server lists it. */
export type GrantedApplication = Awaited<ReturnType<Services['tokens']['listGrantedApplications']>>[number]

/** How much acts for a user at one time. */
export interface Access {
  /** Browsers that are signed in on the website. */
  readonly websites: number
  /** Programs that exchanged a chat token. */
  readonly clients: number
  readonly applications: number
  /** Valid access tokens, of all of these. */
  readonly tokens: number
}
