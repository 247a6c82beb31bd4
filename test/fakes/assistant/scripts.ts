/** How players' games behave, as tests say it. */

export interface ScriptedScore {
  /** Share of the song after which it comes, 0 to 1. */
  readonly at: number
  readonly score: number
  readonly accuracy?: number
  readonly combo?: number
  readonly misses?: number
  readonly badCuts?: number
  readonly health?: number
}

export interface ScriptedSong {
  /** 0.3, unless it is given. */
  readonly seconds: number
  /** Five that rise to the final one, unless they are given. */
  readonly scores: readonly ScriptedScore[] | null
  readonly completion: 'passed' | 'failed' | 'quit'
  readonly score: number
  /** 0 for what a client does not say. */
  readonly maxScore: number
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  /** Whether its end is told. */
  readonly reports: boolean
}

export interface PlayerScript {
  /** `silent`: no answer, and no word of how it goes. */
  download: 'ok' | { readonly afterMs: number } | { readonly error: string; readonly afterMs?: number } | 'silent'
  /** How a `play_song` is taken by a player who holds the level. */
  starts: 'at_once' | { readonly afterMs: number } | 'never'
  /** By default the first option; `silent`: no answer. */
  prompt: 'first' | { readonly value: string; readonly afterMs?: number } | 'silent'
  /** For each song that `songs` has nothing for. */
  song: Partial<ScriptedSong>
  /** Taken one after the other. */
  readonly songs: Partial<ScriptedSong>[]
  /** Whether a song that `return_to_menu` ends is told of, as quit. */
  tellsReturn: boolean
}

/** A desktop game tells its match, its hands and its times; a standalone one none of them, and is in its menu after a song. */
export type PlayerKind = 'desktop' | 'standalone'

export interface PlayerOptions {
  readonly platformId: string
  readonly name?: string
  readonly kind?: PlayerKind
  readonly mods?: readonly string[]
  readonly script?: Partial<PlayerScript>
  /** Hashes of what is on its disk. */
  readonly levels?: readonly string[]
  /** Starts without a connection; `reconnect` makes one. */
  readonly offline?: boolean
}

export const usualSong: ScriptedSong = {
  ...{ seconds: 0.3, scores: null, completion: 'passed', score: 900_000, maxScore: 1_000_000 },
  ...{ misses: 2, badCuts: 1, goodCuts: 497, reports: true },
}
