import type {
  Answered,
  Ask,
  AssistantMatch,
  AssistantTournament,
  Completion,
  Modifier,
  Order,
  Parameters,
  Scored,
  Told,
} from '../../../../infra/clients/assistant/messages.ts'
import type { SessionError, SessionMap, SessionWarning } from '../types.ts'
import type { Users } from './users.ts'

/**
 * The state of a session in the process that holds it. Only `step` changes it, which is pure; connection, lease and
 * database are outside. (AS33)
 */
export interface Machine {
  readonly settings: Settings
  /** The expected players, by the line-up. */
  readonly expected: readonly Expected[]
  /** The platform id that operators chose for each user; null: no account. (AS7) */
  readonly mapped: ReadonlyMap<string, string | null>
  readonly delays: ReadonlyMap<string, number>
  /** GUID of this service's own connection; null without one. */
  readonly self: string | null
  readonly users: Users
  /** The match at the assistant; null while it is unknown. */
  readonly match: AssistantMatch | null
  /** GUID of the match, kept across connections. */
  readonly matchGuid: string | null
  readonly isMatchOurs: boolean
  /** GUIDs of matches that other open sessions hold. */
  readonly heldElsewhere: ReadonlySet<string>
  readonly matches: ReadonlyMap<string, AssistantMatch>
  /** Names of requests that the assistant refused on this connection. They are not repeated. */
  readonly refused: ReadonlySet<string>
  readonly pending: ReadonlyMap<number, Pending>
  readonly nextRef: number
  readonly map: ChosenMap | null
  /** Whether the map must be set again because the match was made again. */
  readonly mustSetMap: boolean
  readonly loads: ReadonlyMap<string, Load>
  readonly checks: ReadonlyMap<string, 'asked' | 'ready' | 'not_yet'>
  readonly play: OpenPlay | null
  /** The previous play, which still takes late reports. */
  readonly lastPlay: OpenPlay | null
  /** Whether the session's last action was a song that finished. */
  readonly hasFinished: boolean
  /** The maps that are being set, by the command that asked for them. */
  readonly chosen: ReadonlyMap<string, ChosenMap>
  /** Commands that wait for an event. */
  readonly waiting: ReadonlyMap<'load' | 'check' | 'play' | 'return', string>
  readonly warnings: readonly SessionWarning[]
  readonly lastError: SessionError | null
  /** The last live value of each user. */
  readonly live: ReadonlyMap<string, LiveValue>
  /** When each timer is due, in milliseconds of the epoch. */
  readonly timers: ReadonlyMap<string, number>
}

export interface Settings {
  readonly bannedMods: readonly string[]
  readonly loadTimeoutMs: number
  /** Full strings of the permissions that this service has. */
  readonly permissions: readonly string[]
}

export interface Expected {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly name: string
  /** The ids of verified accounts. */
  readonly platformIds: readonly string[]
}

export interface ChosenMap {
  readonly map: SessionMap
  readonly parameters: Parameters
  readonly maxScore: number | null
  /** Whether the map belongs to no pool. */
  readonly isFree: boolean
}

export interface Load {
  readonly state: 'idle' | 'loading' | 'loaded' | 'failed'
  readonly error: string | null
}

export type LiveState = 'playing' | 'paused' | 'failed' | 'finished' | 'disconnected'
export interface LiveValue {
  readonly score: Omit<Scored, 'type' | 'user'> | null
  readonly state: LiveState
}

export type Mode = 'now' | 'held' | 'synced'

export interface PlayingPlayer {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly platformId: string
  readonly mapped: boolean
}

export interface OpenPlay {
  /** null until the play is saved. */
  readonly guid: string | null
  readonly map: ChosenMap
  readonly mode: Mode
  readonly delayMs: number
  readonly players: readonly PlayingPlayer[]
  /** `keeping`: being saved; `held`: sent after the delay. */
  readonly state: 'keeping' | 'held' | 'sending' | 'started' | 'returning'
  /** Players who were seen in the game since the start. */
  readonly inGame: ReadonlySet<string>
  readonly finished: ReadonlyMap<string, Completion>
  readonly startedAt: number | null
  /**
   * GUID of the match at the assistant when the song began. Games that were in it still name it after the match was
   * made again.
   */
  readonly matchGuid: string | null
  /** Whether the connection broke during the song, so that reports may have been missed. */
  readonly isInterrupted: boolean
  /** Players of a synchronised start who were released. */
  readonly released: ReadonlySet<string>
}

/** A request to the assistant that is not answered. */
export interface Pending {
  readonly what: 'create' | 'add' | 'lead' | 'map' | 'restoreMap' | 'load' | 'check'
  /** The name under which a refusal is remembered. */
  readonly name: string
  readonly command: string | null
  readonly dueAt: number
  /** Users whose own answers are awaited. */
  readonly users?: ReadonlySet<string>
  readonly ask: Ask
}

export type Command =
  | { readonly name: 'setMap'; readonly chosen: ChosenMap }
  | {
      readonly name: 'load'
      readonly players: readonly string[] | null
      /** Why the song is loaded although the match is decided; null if it is not decided. (D78) */
      readonly force?: string | null
    }
  | {
      readonly name: 'readyCheck'
      readonly players: readonly string[] | null
      readonly text: string
      readonly seconds: number
    }
  | {
      readonly name: 'play'
      readonly mode: Mode
      readonly delayMs: number
      readonly players: readonly string[] | null
      readonly ignore: readonly string[]
      /** Why the song is played although the match is decided. (D78) */
      readonly force?: string | null
    }
  | { readonly name: 'return' }
  | { readonly name: 'modify'; readonly modifier: Modifier; readonly confirm: boolean }
  | { readonly name: 'syncColor'; readonly color: string; readonly players: readonly string[] | null }
  | { readonly name: 'setPlayer'; readonly user: string; readonly platformId: string | null }
  | { readonly name: 'setDelays'; readonly delays: readonly { readonly user: string; readonly delayMs: number }[] }

export type Input =
  | {
      readonly type: 'joined'
      readonly self: string
      readonly tournament: AssistantTournament
      readonly heldElsewhere: ReadonlySet<string>
    }
  | { readonly type: 'lost' }
  | { readonly type: 'told'; readonly told: Exclude<Told, Answered> }
  | { readonly type: 'answer'; readonly ref: number; readonly answer: Answered }
  | { readonly type: 'command'; readonly id: string; readonly command: Command }
  /** The line-up has changed. */
  | { readonly type: 'expected'; readonly expected: readonly Expected[] }
  /** The link's settings have changed. */
  | { readonly type: 'settings'; readonly settings: Pick<Settings, 'bannedMods' | 'loadTimeoutMs'> }
  /** The controller lost control together with the role. */
  | { readonly type: 'controlLost' }
  | { readonly type: 'playKept'; readonly command: string; readonly guid: string }
  | { readonly type: 'playRefused'; readonly command: string; readonly failure: Failure }
  | { readonly type: 'time' }

export interface Failure {
  readonly code: string
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

export type Effect =
  | { readonly type: 'send'; readonly ref: number | null; readonly message: Ask | Order }
  | { readonly type: 'answer'; readonly command: string; readonly failure: Failure | null }
  | {
      readonly type: 'beginPlay'
      readonly command: string
      readonly chosen: ChosenMap
      readonly mode: Mode
      readonly players: readonly PlayingPlayer[]
      readonly force: string | null
    }
  | {
      readonly type: 'playState'
      readonly play: string
      readonly state: 'started' | 'not_started' | 'finished' | 'aborted' | 'uncertain'
    }
  | { readonly type: 'finish'; readonly play: string; readonly finish: FinishFacts }
  | {
      readonly type: 'propose'
      readonly play: string
      readonly isComplete: boolean
      readonly warnings: readonly string[]
    }
  | {
      readonly type: 'happened'
      readonly what: 'map_set' | 'load_forced' | 'sync_failed' | 'modified'
      readonly detail: string | null
    }
  /** A permission is missing at the assistant, and no command's answer names it. */
  | { readonly type: 'lacking'; readonly permission: string }
  /** The part of the session that staff see has changed. */
  | { readonly type: 'save' }
  | { readonly type: 'live'; readonly user: string; readonly value: LiveValue }
  | { readonly type: 'liveAll' }
  /** The connection is faulty: it is ended and made again. */
  | { readonly type: 'reconnect' }

export interface FinishFacts {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly score: number
  readonly maxScore: number | null
  readonly accuracy: number | null
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  readonly maxCombo: number | null
  readonly completion: Completion
  readonly endTime: number | null
  readonly mods: readonly string[]
  readonly warnings: readonly string[]
}

export interface Step {
  readonly machine: Machine
  readonly effects: readonly Effect[]
}

export type Fields = { -readonly [Name in keyof Machine]: Machine[Name] }

/** A machine that is being changed. Its members are replaced, never mutated. */
export interface Draft {
  readonly m: Fields
  readonly effects: Effect[]
  readonly now: number
  readonly newGuid: () => string
}
