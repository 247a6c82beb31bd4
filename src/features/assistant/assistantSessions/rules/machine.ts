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
 * A session as its holder has it in memory. It changes by `step` alone, which is pure: connection, lease and database stand around
 * it. (AS33)
 */
export interface Machine {
  readonly settings: Settings
  /** Who plays, by the line-up. */
  readonly expected: readonly Expected[]
  /** What operators say by whom somebody plays; null for nobody. (AS7) */
  readonly mapped: ReadonlyMap<string, string | null>
  readonly delays: ReadonlyMap<string, number>
  /** GUID of our own connection; null while there is none. */
  readonly self: string | null
  readonly users: Users
  /** The match at the assistant, as far as it is known. */
  readonly match: AssistantMatch | null
  /** Its GUID, from before too. */
  readonly matchGuid: string | null
  readonly isMatchOurs: boolean
  /** GUIDs of matches that other open sessions hold. */
  readonly heldElsewhere: ReadonlySet<string>
  readonly matches: ReadonlyMap<string, AssistantMatch>
  /** What the assistant has refused on this connection, and is not asked for again. */
  readonly refused: ReadonlySet<string>
  readonly pending: ReadonlyMap<number, Pending>
  readonly nextRef: number
  readonly map: ChosenMap | null
  /** Whether the map is to be set again, since the match was made anew. */
  readonly mustSetMap: boolean
  readonly loads: ReadonlyMap<string, Load>
  readonly checks: ReadonlyMap<string, 'asked' | 'ready' | 'not_yet'>
  readonly play: OpenPlay | null
  /** The play before, whose late reports are still its own. */
  readonly lastPlay: OpenPlay | null
  /** The last thing that was done was a song, to its end. */
  readonly hasFinished: boolean
  /** What is to be set, by the command that asked for it. */
  readonly chosen: ReadonlyMap<string, ChosenMap>
  /** Commands that wait for something to happen. */
  readonly waiting: ReadonlyMap<'load' | 'check' | 'play' | 'return', string>
  readonly warnings: readonly SessionWarning[]
  readonly lastError: SessionError | null
  /** Last live values, by user. */
  readonly live: ReadonlyMap<string, LiveValue>
  /** When what falls due, in milliseconds of the epoch. */
  readonly timers: ReadonlyMap<string, number>
}

export interface Settings {
  readonly bannedMods: readonly string[]
  readonly loadTimeoutMs: number
  /** Full permission strings that we hold. */
  readonly permissions: readonly string[]
}

export interface Expected {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly name: string
  /** Verified ones. */
  readonly platformIds: readonly string[]
}

export interface ChosenMap {
  readonly map: SessionMap
  readonly parameters: Parameters
  readonly maxScore: number | null
  /** A map of no pool. */
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
  /** null until it is kept. */
  readonly guid: string | null
  readonly map: ChosenMap
  readonly mode: Mode
  readonly delayMs: number
  readonly players: readonly PlayingPlayer[]
  /** `keeping`: being written down; `held`: sent when its time comes. */
  readonly state: 'keeping' | 'held' | 'sending' | 'started' | 'returning'
  /** Who was seen in the game since. */
  readonly inGame: ReadonlySet<string>
  readonly finished: ReadonlyMap<string, Completion>
  readonly startedAt: number | null
  /** GUID of the match at the assistant when it was begun: games that were in it then still name it after it was made anew. */
  readonly matchGuid: string | null
  /** The connection broke while it was open: what happened meanwhile is not known. */
  readonly isInterrupted: boolean
  /** Who was let go, of those who wait for each other. */
  readonly released: ReadonlySet<string>
}

/** What was asked of the assistant, and is not answered. */
export interface Pending {
  readonly what: 'create' | 'add' | 'lead' | 'map' | 'restoreMap' | 'load' | 'check'
  /** By which a refusal is remembered. */
  readonly name: string
  readonly command: string | null
  readonly dueAt: number
  /** Users whose own answers are waited for. */
  readonly users?: ReadonlySet<string>
  readonly ask: Ask
}

export type Command =
  | { readonly name: 'setMap'; readonly chosen: ChosenMap }
  | {
      readonly name: 'load'
      readonly players: readonly string[] | null
      /** Why it is loaded although the match is decided; null where the match is not. (D78) */
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
      /** Why it is played although the match is decided. (D78) */
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
  /** Who plays has changed. */
  | { readonly type: 'expected'; readonly expected: readonly Expected[] }
  /** What the link says has changed. */
  | { readonly type: 'settings'; readonly settings: Pick<Settings, 'bannedMods' | 'loadTimeoutMs'> }
  /** Whoever had control has lost it with their role. */
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
  /** A permission that we do not have at the assistant, where no answer to a command says so. */
  | { readonly type: 'lacking'; readonly permission: string }
  /** Something that staff see has changed. */
  | { readonly type: 'save' }
  | { readonly type: 'live'; readonly user: string; readonly value: LiveValue }
  | { readonly type: 'liveAll' }
  /** The connection is no good: it is ended, and made anew. */
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

/** A machine while it is changed: members are replaced, never changed in place. */
export interface Draft {
  readonly m: Fields
  readonly effects: Effect[]
  readonly now: number
  readonly newGuid: () => string
}
