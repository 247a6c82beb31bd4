export type TokenKind = 'own' | 'bot' | 'readonly'
export type LinkState = 'untested' | 'ok' | 'failing'
export type PlayMode = 'now' | 'held' | 'synced'

export interface LinkDefaults {
  readonly playMode: PlayMode
  readonly readyCheck: boolean
  readonly prompt: string
  readonly loadTimeoutMs: number
  readonly autoAccept: boolean
  readonly autoAcceptMs: number
}

export interface LinkError {
  readonly code: string
  readonly message: string
  readonly at: string
}

/** The assistant's tournament in which matches of a tournament are played. */
export interface AssistantLink {
  readonly tournamentGuid: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly certificate: string
  readonly assistantGuid: string
  readonly assistantName: string
  readonly tokenKind: TokenKind
  readonly sealedToken: string | null
  readonly sealedPassword: string | null
  readonly actsAs: string | null
  /** null: the newest known version. */
  readonly versionCode: number | null
  readonly qualifierEvents: readonly string[]
  readonly bannedMods: readonly string[]
  readonly sealedHookSecret: string | null
  readonly enabled: boolean
  readonly allowModify: boolean
  readonly defaults: LinkDefaults
  readonly state: LinkState
  readonly lastConnectedAt: Date | null
  readonly serverVersion: number | null
  /** Full permission strings; empty until connected. */
  readonly permissions: readonly string[]
  readonly lastError: LinkError | null
  readonly updatedAt: Date
}
