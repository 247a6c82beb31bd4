import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../src/engine/scenes/tree.ts'

/** The methods that a source calls with new data, in any order and any number of times. */
export interface Listener {
  /** Null when nothing is published. */
  document(document: SceneDocument | null): void
  control(control: ControlState): void
  data(data: DataTree): void
  /** Live scores, by `player:{guid}`. */
  live(values: Readonly<Record<string, PlayerScore>>): void
  /** Whether the data is current. */
  connected(isConnected: boolean): void
  /** Nothing more comes, and the page must be cleared. (OV17) */
  ended(): void
}

export interface Source {
  /** Starts to call the listener. @returns a function that stops it */
  listen(listener: Listener): () => void
  /** The time of the service, in milliseconds since 1970. */
  now(): number
}
