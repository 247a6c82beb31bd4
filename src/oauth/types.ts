import type { Scope } from '../core/scopes.ts'

export const applicationTypes = ['confidential', 'public'] as const
/**
 * `confidential`: has a secret, and a server that can keep it. `public`: runs on the user's machine, where the user
 * could read any secret.
 */
export type ApplicationType = (typeof applicationTypes)[number]

export interface Application {
  /** A GUID. */
  readonly clientId: string
  readonly ownerGuid: string
  readonly name: string
  readonly imageUrl: string | null
  readonly type: ApplicationType
  /** The scopes that it may request. */
  readonly scopes: readonly Scope[]
  readonly redirectUris: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An application that calls an endpoint, with the digest of its secret. */
export interface Client extends Application {
  readonly secretHash: Buffer | null
}
