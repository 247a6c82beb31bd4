/** The behaviour of players' games in tests. */

export interface ScriptedScore {
  /** The share of the song after which it is sent, 0 to 1. */
  readonly at: number
  readonly score: number
  readonly accuracy?: number
  readonly combo?: number
  readonly misses?: number
  readonly badCuts?: number
  readonly health?: number
}

export interface ScriptedSong {
  /** 0.3 by default. */
  readonly seconds: number
  /** By default five scores that rise to the final one. */
  readonly scores: readonly ScriptedScore[] | null
  readonly completion: 'passed' | 'failed' | 'quit'
  readonly score: number
  /** 0 when the client does not send it. */
  readonly maxScore: number
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  /** Whether its end is reported. */
  readonly reports: boolean
}

export interface PlayerScript {
  /** `silent`: neither an answer nor progress. */
  download: 'ok' | { readonly afterMs: number } | { readonly error: string; readonly afterMs?: number } | 'silent'
  /** How a player with the level reacts to `play_song`. */
  starts: 'at_once' | { readonly afterMs: number } | 'never'
  /** The first option by default; `silent`: no answer. */
  prompt: 'first' | { readonly value: string; readonly afterMs?: number } | 'silent'
  /** Used when `songs` is empty. */
  song: Partial<ScriptedSong>
  /** Used one after the other. */
  readonly songs: Partial<ScriptedSong>[]
  /** Whether a song that `return_to_menu` ends is reported, as quit. */
  tellsReturn: boolean
}

/**
 * A desktop game sends its match, its hands and its times. A standalone one sends none of them, and is in its menu
 * after a song.
 */
export type PlayerKind = 'desktop' | 'standalone'

export interface PlayerOptions {
  readonly platformId: string
  readonly name?: string
  readonly kind?: PlayerKind
  readonly mods?: readonly string[]
  readonly script?: Partial<PlayerScript>
  /** Hashes of the levels on its disk. */
  readonly levels?: readonly string[]
  /** Starts without a connection; `reconnect` opens one. */
  readonly offline?: boolean
}

export const defaultSong: ScriptedSong = {
  seconds: 0.3,
  scores: null,
  completion: 'passed',
  score: 900_000,
  maxScore: 1_000_000,
  misses: 2,
  badCuts: 1,
  goodCuts: 497,
  reports: true,
}
