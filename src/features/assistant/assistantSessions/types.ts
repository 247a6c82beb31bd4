import type { ClientType, DownloadState, PlayState } from '../../../infra/clients/assistant/messages.ts'

export type SessionStatus = 'connecting' | 'connected' | 'reconnecting' | 'failed' | 'closed'

export type Phase =
  | 'idle'
  | 'players_missing'
  | 'ready'
  | 'loading'
  | 'loaded'
  | 'checking'
  | 'starting'
  | 'playing'
  | 'finished'
  | 'closed'

export interface SessionPlayer {
  readonly userGuid: string
  readonly side: 1 | 2
  /** The account by which the player is found at the assistant; null without a verified one. */
  readonly platformId: string | null
  /** Whether an operator chose the account for this session. */
  readonly mapped: boolean
  readonly connected: boolean
  readonly playState: PlayState | null
  readonly downloadState: DownloadState | null
  readonly load: { readonly state: 'idle' | 'loading' | 'loaded' | 'failed'; readonly error: string | null }
  readonly readyCheck: 'none' | 'asked' | 'ready' | 'not_yet'
  readonly bannedMods: readonly string[]
  readonly streamDelayMs: number | null
}

export interface SessionMap {
  readonly poolMapGuid: string | null
  /** In lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly name: string
  readonly modifiers: readonly string[]
}

export interface SessionWarning {
  readonly guid: string
  readonly code: string
  readonly user: string | null
  readonly at: string
}

export interface Other {
  readonly name: string
  readonly platformId: string
  readonly clientType: ClientType | null
}

/** The part of a session that is saved as one JSON value by the process that holds it. */
export interface SessionState {
  readonly players: readonly SessionPlayer[]
  readonly others: readonly Other[]
  readonly map: SessionMap | null
  readonly warnings: readonly SessionWarning[]
}

export interface SessionError {
  readonly code: string
  readonly message: string
  readonly at: string
}

/** The assistant's session of a match. */
export interface AssistantSession {
  readonly guid: string
  readonly tournamentGuid: string
  readonly matchGuid: string
  readonly openedBy: string
  readonly openedAt: Date
  readonly closedAt: Date | null
  readonly closeReason: string | null
  readonly status: SessionStatus
  readonly phase: Phase
  readonly controllerGuid: string | null
  readonly controllerSince: Date | null
  readonly controllerUntil: Date | null
  /** `jti` of the access token by which control was last taken or renewed. Control ends with that token. */
  readonly controllerToken: string | null
  readonly state: SessionState
  /** GUID at the assistant. A restart of the assistant gives the match a new one. */
  readonly assistantMatch: string | null
  readonly isMatchOurs: boolean
  readonly deleteMatch: boolean
  readonly autoAccept: boolean | null
  readonly lastPacketAt: Date | null
  readonly lastError: SessionError | null
  readonly revision: number
}
