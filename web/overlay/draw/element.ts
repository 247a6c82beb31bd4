import { setBy } from '../../../src/engine/scenes/conditions.ts'
import type { Binding, Motion, SceneElement } from '../../../src/engine/scenes/document.ts'
import { formatted } from '../../../src/engine/scenes/formatters.ts'
import { numberOf, type Tree, textOf } from '../../../src/engine/scenes/values.ts'
import { h, style } from '../dom.ts'
import type { Node } from '../model/nodes.ts'
import { colorOf, flag, number, type Props, record, text } from '../model/props.ts'
import type { Context, Painter } from './context.ts'
import { borderOf } from './image.ts'
import { Counting, defaultMs, type Played, play, playChange } from './motion.ts'
import { painterOf } from './painters.ts'
import { maskOf } from './shape.ts'

/** The types that draw from the tree by themselves or show the time, and so may change in any frame. */
const restless: ReadonlySet<string> = new Set([
  ...['list', 'group', 'bar', 'pips', 'timer', 'mapCard', 'pickBans', 'bracket', 'standings', 'schedule', 'casters'],
  ...['stream', 'video'],
])

/** The delay between the animations of one list item and the next. */
const staggerMs = 60

/** Members of the border and of the shadow are written with a dot. (OV2) */
function put(found: Record<string, unknown>, property: string, value: unknown): void {
  const [name = '', member] = property.split('.')
  found[name] = member === undefined ? value : { ...record(found, name), [member]: value }
}

export class ElementView {
  readonly #mover = h('div', 'm')
  readonly node = h('div', 'e', this.#mover)
  readonly #element: SceneElement
  readonly #painter: Painter
  readonly #bindings: readonly Binding[]
  readonly #conditions: readonly NonNullable<SceneElement['conditions']>[string][]
  readonly #isRestless: boolean
  readonly #counting: Counting | null
  readonly #stagger: number
  #isDrawn = false
  #isVisible = false
  #shown: string | null = null
  #leaving: Played | null = null

  /** @param place index in a list */
  constructor({ id, element, children }: Node, place = 0) {
    // Editors find by it what is drawn of an element.
    this.node.dataset.id = id
    this.#element = element
    this.#painter = painterOf(element.type, children)
    this.#mover.append(this.#painter.node)
    this.#bindings = Object.values(element.bindings ?? {})
    // Maps have no defined order, so conditions are sorted by name, which is the same everywhere.
    const conditions = Object.entries(element.conditions ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
    this.#conditions = conditions.map(([, condition]) => condition)
    this.#isRestless = restless.has(element.type) || this.#bindings.length > 0 || this.#conditions.length > 0
    const change = element.animation?.change
    this.#counting = change?.kind === 'count' ? new Counting(change.durationMs ?? defaultMs) : null
    this.#stagger = place * staggerMs
  }

  /** @returns whether it needs the next frame too */
  update(context: Context): boolean {
    if (this.#isDrawn && !this.#isRestless) return false
    const { props, wantsMore } = this.#resolve(context)
    const isVisible = flag(props, 'visible', true)
    // An element that begins hidden is drawn when it appears: it may have many parts that never do.
    if (isVisible) {
      const size = this.#place(props, context)
      const more = this.#painter.update(props, context, size)
      this.#change(props, context)
      this.#show(isVisible, context)
      this.#isDrawn = true
      return wantsMore || more
    }
    this.#show(false, context)
    this.#isDrawn = true
    return false
  }

  pause(isPaused: boolean): void {
    this.#painter.pause?.(isPaused)
  }

  /** Called when its scene becomes visible. */
  enter(): void {
    const { enter } = this.#element.animation ?? {}
    if (enter !== undefined && this.#isVisible) this.#play(enter)
    this.#painter.enter?.()
  }

  leave(): void {
    const exit = this.#element.animation?.exit
    if (exit !== undefined && this.#isVisible) play(this.#mover, exit, 'exit')
  }

  destroy(): void {
    this.#painter.destroy?.()
    this.node.remove()
  }

  #resolve(context: Context): { readonly props: Props; readonly wantsMore: boolean } {
    const { x, y, width, height, rotation, opacity, visible, mask, border, shadow, props } = this.#element
    const own = { x, y, width, height, rotation, opacity, visible, mask, border, shadow, ...props }
    const found: Record<string, unknown> = own
    let wantsMore = false
    for (const binding of this.#bindings) {
      const { path, property, format = [], fallback } = binding
      const { reading, items, isStill } = context
      let raw = reading.read(path, items)
      if (this.#counting !== null && property === 'text' && numberOf(raw) !== null) {
        const now = performance.now()
        raw = this.#counting.at(now, numberOf(raw) ?? 0, isStill)
        wantsMore = this.#counting.isMoving(now)
      }
      const shown: Tree | undefined = formatted(raw, format, reading.around) ?? fallback
      if (shown !== undefined && shown !== null) put(found, property, shown)
    }
    if (this.#conditions.length > 0) {
      const { reading, items } = context
      const looking = {
        read: (path: string) => reading.read(path, items),
        sinceChange: (path: string) => reading.sinceChange(path, items),
      }
      for (const [property, value] of Object.entries(setBy(this.#conditions, looking))) put(found, property, value)
    }
    return { props: found, wantsMore }
  }

  #place(props: Props, { reading: { variables } }: Context) {
    const size = { width: number(props, 'width', 1, 1, 8_192), height: number(props, 'height', 1, 1, 8_192) }
    const turned = number(props, 'rotation', 0, -360, 360)
    const opacity = number(props, 'opacity', 1, 0, 1)
    const shadow = record(props, 'shadow')
    const color = colorOf(shadow.color, variables)
    const [x, y, blur] = [number(shadow, 'x', 0), number(shadow, 'y', 0), number(shadow, 'blur', 0, 0, 100)]
    style(this.node, {
      left: `${number(props, 'x', 0)}px`,
      top: `${number(props, 'y', 0)}px`,
      width: `${size.width}px`,
      height: `${size.height}px`,
      transform: turned === 0 ? null : `rotate(${turned}deg)`,
      opacity: opacity === 1 ? null : String(opacity),
      filter: color === null ? null : `drop-shadow(${x}px ${y}px ${blur}px ${color})`,
    })
    const mask = maskOf(record(props, 'mask'), size)
    style(this.#painter.node, { ...mask, '--border': borderOf(props, variables) })
    this.#painter.node.classList.toggle('bordered', borderOf(props, variables) !== null)
    return size
  }

  #change(props: Props, { isStill }: Context): void {
    const change = this.#element.animation?.change
    if (change === undefined) return
    const shown = textOf(props.text as Tree) || text(props, 'address') || text(props, 'value')
    const isOther = this.#shown !== null && this.#shown !== shown
    this.#shown = shown
    if (isOther && !isStill && this.#isVisible) playChange(this.#mover, change)
  }

  #play(enter: Motion): void {
    play(this.#mover, { ...enter, delayMs: (enter.delayMs ?? 0) + this.#stagger }, 'enter')
  }

  #show(isVisible: boolean, { isStill }: Context): void {
    if (isVisible === this.#isVisible && this.#isDrawn) return
    this.#isVisible = isVisible
    this.#leaving?.cancel()
    this.#leaving = null
    const { enter, exit } = this.#element.animation ?? {}
    if (isVisible) {
      style(this.node, { display: null })
      if (enter !== undefined && !isStill) this.#play(enter)
      return
    }
    const leaving = exit === undefined || isStill || !this.#isDrawn ? null : play(this.#mover, exit, 'exit')
    if (leaving === null) {
      style(this.node, { display: 'none' })
      return
    }
    this.#leaving = leaving
    void leaving.finished.then(() => {
      if (this.#leaving !== leaving) return
      style(this.node, { display: 'none' })
      leaving.cancel()
      this.#leaving = null
    })
  }
}
