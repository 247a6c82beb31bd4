import type { Item, Reading } from '../model/joined.ts'
import type { Props } from '../model/props.ts'

/** What drawing depends on beside the document. */
export interface Context {
  readonly reading: Reading
  /** Of the lists that an element is in, the innermost first. */
  readonly items: readonly Item[]
  /** Origin of our media. */
  readonly media: string
  /** Nothing moves: what is shown was not seen before, or is not seen now. (OV18) */
  readonly isStill: boolean
  /** Families of the document’s fonts by their names there. */
  readonly fonts: ReadonlyMap<string, string>
  readonly isMuted: boolean
}

/** What draws the elements of one type. */
export interface Painter {
  /** Fills the element. */
  readonly node: HTMLElement
  /** @returns whether it wants the next frame, too */
  update(props: Props, context: Context, size: Size): boolean
  /** Its scene comes to be seen. */
  enter?(): void
  /** Of a hidden source, or of one that is shown again. */
  pause?(isPaused: boolean): void
  destroy?(): void
}

export interface Size {
  readonly width: number
  readonly height: number
}
