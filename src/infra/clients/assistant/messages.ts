/**
 * What an assistant's server is told and tells, in our words: the codec is the only place that knows the wire. Members that a
 * client does not send are null, never 0. (assistant: Code; AS33)
 */

/** Names of the assistant's difficulties, by its numbers 0 to 4. */
export const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const
export type Difficulty = (typeof difficulties)[number]

/** What players are to play, and how. */
export interface Parameters {
  /** In lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: Difficulty
  readonly name: string
  /** Names of GameOptions. */
  readonly modifiers: readonly string[]
  /** Names of PlayerOptions. */
  readonly playerOptions: readonly string[]
  readonly disablePause: boolean
  readonly disableFail: boolean
  readonly disableScoreSubmission: boolean
  readonly showScoreboard: boolean
  readonly disableCustomNotesOnStream: boolean
  readonly target: number
  readonly attempts: number
}

/** A map that an assistant holds, under its own GUID. */
export interface AssistantMap {
  readonly guid: string
  /** null where the level is none of the map catalogue's. */
  readonly hash: string | null
  readonly levelId: string
  readonly characteristic: string
  /** null for a number that is not known. */
  readonly difficulty: Difficulty | null
  readonly name: string
}

/** A map of a list, with how it is to be played there. */
export interface ListedMap extends AssistantMap {
  /** null for what we could not say: a song of the game itself, or a difficulty that is not known. */
  readonly parameters: Parameters | null
}

export type PlayState = 'menu' | 'waiting' | 'game'
export type DownloadState = 'none' | 'downloading' | 'downloaded' | 'error'
export type ClientType = 'player' | 'socket' | 'rest'

/** Somebody who is connected to the assistant; the GUID is that of a connection and changes with each. (AS7) */
export interface AssistantUser {
  readonly guid: string
  readonly name: string
  readonly platformId: string
  /** null for a value that is not known. */
  readonly clientType: ClientType | null
  readonly playState: PlayState | null
  readonly downloadState: DownloadState | null
  readonly mods: readonly string[]
  readonly streamDelayMs: number
}

export interface AssistantMatch {
  readonly guid: string
  /** GUIDs of users, players and others; may name one twice. */
  readonly users: readonly string[]
  readonly leader: string
  readonly map: AssistantMap | null
}

export interface AssistantQualifier {
  readonly guid: string
  readonly name: string
  readonly maps: readonly ListedMap[]
}

export interface AssistantPool {
  readonly guid: string
  readonly name: string
  readonly maps: readonly ListedMap[]
}

/** A tournament of the assistant, as it tells it to whoever has connected or joined. */
export interface AssistantTournament {
  readonly guid: string
  readonly name: string
  readonly users: readonly AssistantUser[]
  readonly matches: readonly AssistantMatch[]
  readonly qualifiers: readonly AssistantQualifier[]
  readonly pools: readonly AssistantPool[]
  /** Full permission strings, as `tournament:match:create_match`. */
  readonly permissions: readonly string[]
}

export interface BoardEntry {
  readonly eventGuid: string
  readonly mapGuid: string
  readonly platformId: string
  readonly name: string
  readonly score: number
  readonly maxScore: number
  /** 0 to 1. */
  readonly accuracy: number
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  readonly maxCombo: number
  readonly fullCombo: boolean
  readonly isPlaceholder: boolean
}

export type Ask =
  | { readonly type: 'connect'; readonly clientVersion: number }
  | { readonly type: 'join'; readonly password: string }
  | { readonly type: 'createMatch'; readonly users: readonly string[]; readonly leader: string }
  | { readonly type: 'addUser'; readonly match: string; readonly user: string }
  | { readonly type: 'removeUser'; readonly match: string; readonly user: string }
  | { readonly type: 'setLeader'; readonly match: string; readonly user: string }
  | { readonly type: 'setMap'; readonly match: string; readonly map: Parameters }
  | { readonly type: 'deleteMatch'; readonly match: string }
  | { readonly type: 'loadSong'; readonly hash: string; readonly to: readonly string[] }
  | {
      readonly type: 'showPrompt'
      readonly promptId: string
      readonly title: string
      readonly text: string
      readonly seconds: number
      readonly options: readonly { readonly label: string; readonly value: string }[]
      readonly to: readonly string[]
    }
  | { readonly type: 'qualifierScores'; readonly event: string; readonly map: string }
  | {
      readonly type: 'refundAttempts'
      readonly event: string
      readonly map: string
      readonly platformId: string
      readonly count: number
    }
  | { readonly type: 'addPool'; readonly name: string }
  | { readonly type: 'setPoolName'; readonly pool: string; readonly name: string }
  | { readonly type: 'addPoolMaps'; readonly pool: string; readonly maps: readonly Parameters[] }
  | {
      readonly type: 'updatePoolMap'
      readonly pool: string
      readonly mapGuid: string
      readonly map: Parameters
    }
  | { readonly type: 'removePoolMap'; readonly pool: string; readonly mapGuid: string }
  | { readonly type: 'addQualifierMaps'; readonly event: string; readonly maps: readonly Parameters[] }
  | {
      readonly type: 'updateQualifierMap'
      readonly event: string
      readonly mapGuid: string
      readonly map: Parameters
    }
  | { readonly type: 'removeQualifierMap'; readonly event: string; readonly mapGuid: string }

/** What the server answers nothing to. */
export type Order =
  | {
      readonly type: 'playSong'
      readonly map: Parameters
      readonly useSync: boolean
      readonly to: readonly string[]
    }
  | { readonly type: 'returnToMenu'; readonly to: readonly string[] }
  | { readonly type: 'delayTestFinish'; readonly to: readonly string[] }
  | { readonly type: 'modify'; readonly modifier: Modifier; readonly to: readonly string[] }
  | { readonly type: 'showColor'; readonly color: string; readonly to: readonly string[] }
  | { readonly type: 'heartbeat' }

export const modifiers = ['InvertColors', 'InvertHandedness', 'DisableBlueNotes', 'DisableRedNotes'] as const
export type Modifier = (typeof modifiers)[number]

/** What stands in an answer, by what was asked; `none` where nothing does that we know. */
export type Details =
  | { readonly type: 'none' }
  | {
      readonly type: 'connect'
      readonly serverVersion: number
      readonly wrongVersion: boolean
      readonly tournaments: readonly AssistantTournament[]
    }
  | {
      readonly type: 'join'
      readonly selfGuid: string
      readonly wrongPassword: boolean
      /** The one that was joined, where the state names it. */
      readonly tournament: AssistantTournament | null
    }
  | { readonly type: 'match'; readonly match: AssistantMatch | null }
  | { readonly type: 'board'; readonly entries: readonly BoardEntry[] }
  | { readonly type: 'loadSong'; readonly levelId: string }
  | { readonly type: 'prompt'; readonly value: string }
  | { readonly type: 'pools'; readonly tournament: AssistantTournament | null }
  | { readonly type: 'qualifier'; readonly qualifier: AssistantQualifier | null }
  | { readonly type: 'permission'; readonly required: string }

export interface Answered {
  readonly type: 'answer'
  /** Id of the packet that it answers. */
  readonly to: string
  /** GUID of whoever answers: the server's word, or that of a player to whom it was forwarded. */
  readonly from: string
  readonly ok: boolean
  /** A text of the server, to be shown as plain text; empty where there is none. */
  readonly message: string
  readonly details: Details
}

export interface LiveHand {
  readonly hits: number
  readonly misses: number
  readonly badCuts: number
  /** Mean points before the cut, for its accuracy, after it; null where it does not say. */
  readonly cut: readonly [number, number, number] | null
}

export interface Scored {
  readonly type: 'score'
  readonly user: string
  readonly score: number
  readonly modifiedScore: number
  readonly maxScore: number
  /** 0 to 1. */
  readonly accuracy: number
  readonly combo: number
  readonly maxCombo: number
  readonly misses: number
  readonly badCuts: number
  readonly bombHits: number
  readonly wallHits: number
  /** 0 to 1. */
  readonly health: number
  /** Seconds. */
  readonly songTime: number
  readonly left: LiveHand | null
  readonly right: LiveHand | null
}

export type Completion = 'passed' | 'failed' | 'quit'

export interface Finished {
  readonly type: 'finished'
  /** Whose, as the server knows them; their GUID is that of the connection. */
  readonly player: {
    readonly guid: string
    readonly platformId: string
    readonly name: string
    readonly mods: readonly string[]
  }
  readonly levelId: string
  readonly hash: string | null
  readonly characteristic: string
  readonly difficulty: Difficulty | null
  readonly completion: Completion
  readonly score: number
  /** null where the client does not say (0 on the wire). */
  readonly maxScore: number | null
  readonly accuracy: number | null
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  /** Seconds. */
  readonly endTime: number
  /** null where the client does not say. */
  readonly tournament: string | null
  readonly match: string | null
}

export type Told =
  | Answered
  | { readonly type: 'user'; readonly change: 'added' | 'updated' | 'left'; readonly user: AssistantUser }
  | { readonly type: 'match'; readonly change: 'created' | 'updated' | 'deleted'; readonly match: AssistantMatch }
  | Scored
  | Finished
  | {
      readonly type: 'attempt'
      readonly tournament: string
      readonly event: string
      readonly map: AssistantMap | null
      readonly entry: BoardEntry
    }
  /** The token is bad or absent. */
  | { readonly type: 'unauthorised' }
  /** Of another tournament, or what we have no use for. */
  | { readonly type: 'other' }

/** Why a connection ended; `protocol`: what came was no assistant's. */
export type EndOfConnection = 'closed' | 'unreachable' | 'protocol' | 'silent'
