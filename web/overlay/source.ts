import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../src/engine/scenes/tree.ts'

/** What the page is told, by whomever: all of it may come in any order, and again and again. */
export interface Listener {
  /** null where nothing is published. */
  document(document: SceneDocument | null): void
  control(control: ControlState): void
  data(data: DataTree): void
  /** By key: `player:{guid}`. */
  live(values: Readonly<Record<string, PlayerScore>>): void
  /** Whether what was told last is known to be the present. */
  connected(isConnected: boolean): void
  /** Nothing more comes, and what was shown must not be seen any longer. (OV17) */
  ended(): void
}

export interface Source {
  /** Begins to tell. @returns what ends it */
  listen(listener: Listener): () => void
  /** Of the service, in milliseconds since 1970. */
  now(): number
}
