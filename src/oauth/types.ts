import type { Scope } from '../core/scopes.ts'

export const applicationTypes = ['confidential', 'public'] as const
/** `confidential`: has a secret, and a server that can keep it. `public`: runs at the user, who could read any secret. */
export type ApplicationType = (typeof applicationTypes)[number]

export interface Application {
  /** A GUID. */
  readonly clientId: string
  readonly ownerGuid: string
  readonly name: string
  readonly imageUrl: string | null
  readonly type: ApplicationType
  /** What it may ask for. */
  readonly scopes: readonly Scope[]
  readonly redirectUris: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An application that stands before one of the endpoints, with what its secret is compared with. */
export interface Client extends Application {
  readonly secretHash: Buffer | null
}
