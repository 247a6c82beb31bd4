/**
 * The messages to and from an assistant's server, in our types: only the codec knows the wire format. Members that a
 * client does not send are null, never 0. (assistant: Code; AS33)
 */

/** The assistant's names of difficulties, by its numbers 0 to 4. */
export const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const
export type Difficulty = (typeof difficulties)[number]

/** The map that players are to play, and the options for it. */
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

/** A map in the assistant, with its own GUID. */
export interface AssistantMap {
  readonly guid: string
  /** Null for a level that is not in the map catalogue. */
  readonly hash: string | null
  readonly levelId: string
  readonly characteristic: string
  /** Null for an unknown number. */
  readonly difficulty: Difficulty | null
  readonly name: string
}

/** A map of a list, with the options for playing it. */
export interface ListedMap extends AssistantMap {
  /** Null when we cannot express them: a song of the game itself, or an unknown difficulty. */
  readonly parameters: Parameters | null
}

export type PlayState = 'menu' | 'waiting' | 'game'
export type DownloadState = 'none' | 'downloading' | 'downloaded' | 'error'
export type ClientType = 'player' | 'socket' | 'rest'

/** A connected user of the assistant; the GUID is that of the connection and changes with each. (AS7) */
export interface AssistantUser {
  readonly guid: string
  readonly name: string
  readonly platformId: string
  /** Null for an unknown value. */
  readonly clientType: ClientType | null
  readonly playState: PlayState | null
  readonly downloadState: DownloadState | null
  readonly mods: readonly string[]
  readonly streamDelayMs: number
}

export interface AssistantMatch {
  readonly guid: string
  /** GUIDs of users, players and others; may contain one twice. */
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

/** A tournament of the assistant, as clients see it that have connected or joined. */
export interface AssistantTournament {
  readonly guid: string
  readonly name: string
  readonly users: readonly AssistantUser[]
  readonly matches: readonly AssistantMatch[]
  readonly qualifiers: readonly AssistantQualifier[]
  readonly pools: readonly AssistantPool[]
  /** Full permission strings, such as `tournament:match:create_match`. */
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

/** Messages that the server does not answer. */
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

/** The content of an answer, by its request; `none` where it has no known content. */
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
      /** The joined tournament, where the state contains it. */
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
  /** GUID of the sender: the server, or a player to whom the request was forwarded. */
  readonly from: string
  readonly ok: boolean
  /** A text of the server, to be shown as plain text; may be empty. */
  readonly message: string
  readonly details: Details
}

export interface LiveHand {
  readonly hits: number
  readonly misses: number
  readonly badCuts: number
  /** Mean points before the cut, for its accuracy, and after it; null where the client does not send them. */
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
  /** The player as the server knows them; `guid` is that of the connection. */
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
  /** Null where the client does not send it (0 on the wire). */
  readonly maxScore: number | null
  readonly accuracy: number | null
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  /** Seconds. */
  readonly endTime: number
  /** Null where the client does not send it. */
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
  /** The token is invalid or missing. */
  | { readonly type: 'unauthorised' }
  /** A message of another tournament, or one that we do not use. */
  | { readonly type: 'other' }

/** Why a connection ended; `protocol` means that the server is no assistant. */
export type EndOfConnection = 'closed' | 'unreachable' | 'protocol' | 'silent'
