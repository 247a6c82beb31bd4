import type { Item, Reading } from '../model/joined.ts'
import type { Props } from '../model/props.ts'

/** The input of drawing besides the document. */
export interface Context {
  readonly reading: Reading
  /** The items of the lists around an element, the innermost list first. */
  readonly items: readonly Item[]
  /** The origin of our media. */
  readonly media: string
  /** Whether nothing may move: the picture is the first one, or the source is hidden. (OV18) */
  readonly isStill: boolean
  /** The font families of the document, by their names in it. */
  readonly fonts: ReadonlyMap<string, string>
  readonly isMuted: boolean
}

/** Draws the elements of one type. */
export interface Painter {
  /** The node that fills the element. */
  readonly node: HTMLElement
  /** @returns whether it needs the next frame too */
  update(props: Props, context: Context, size: Size): boolean
  /** Called when its scene becomes visible. */
  enter?(): void
  /** Called when the source is hidden or visible again. */
  pause?(isPaused: boolean): void
  destroy?(): void
}

export interface Size {
  readonly width: number
  readonly height: number
}
