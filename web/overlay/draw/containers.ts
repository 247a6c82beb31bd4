import type { Tree } from '../../../src/engine/scenes/values.ts'
import { h, style } from '../dom.ts'
import type { Node } from '../model/nodes.ts'
import { flag, number, oneOf, type Props, text } from '../model/props.ts'
import type { Context, Painter, Size } from './context.ts'
import { ElementView } from './element.ts'

export class GroupPainter implements Painter {
  readonly node = h('div', 'group')
  readonly #views: readonly ElementView[]

  constructor(children: readonly Node[]) {
    this.#views = children.map((child) => new ElementView(child))
    this.node.append(...this.#views.map(({ node }) => node))
  }

  update(props: Props, context: Context): boolean {
    this.node.classList.toggle('clips', flag(props, 'clip'))
    return updated(this.#views, context)
  }

  enter(): void {
    for (const view of this.#views) view.enter()
  }

  pause(isPaused: boolean): void {
    for (const view of this.#views) view.pause(isPaused)
  }

  destroy(): void {
    for (const view of this.#views) view.destroy()
  }
}

/** Updates all views, and returns whether one of them needs the next frame. */
function updated(views: readonly ElementView[], context: Context): boolean {
  return views.map((view) => view.update(context)).includes(true)
}

interface Cell {
  readonly node: HTMLElement
  readonly views: readonly ElementView[]
}

const maxCells = 32

/** Draws its children once for each item at a path. */
export class ListPainter implements Painter {
  readonly node = h('div', 'group')
  readonly #children: readonly Node[]
  readonly #cells: Cell[] = []

  constructor(children: readonly Node[]) {
    this.#children = children
  }

  update(props: Props, context: Context, size: Size): boolean {
    const found = context.reading.read(text(props, 'source'), context.items)
    const most = Math.round(number(props, 'max', maxCells, 0, maxCells))
    const items: readonly Tree[] = Array.isArray(found) ? (found as readonly Tree[]).slice(0, most) : []
    while (this.#cells.length > items.length) this.#remove()
    while (this.#cells.length < items.length) this.#add()
    const place = this.#places(props, size, items.length)
    return this.#cells
      .map(({ node, views }, index) => {
        style(node, place(index))
        const item = items[index] ?? null
        const own = { item, index: index + 1 }
        return updated(views, { ...context, items: [own, ...context.items] })
      })
      .includes(true)
  }

  enter(): void {
    for (const { views } of this.#cells) for (const view of views) view.enter()
  }

  pause(isPaused: boolean): void {
    for (const { views } of this.#cells) for (const view of views) view.pause(isPaused)
  }

  destroy(): void {
    while (this.#cells.length > 0) this.#remove()
  }

  #add(): void {
    const views = this.#children.map((child) => new ElementView(child, this.#cells.length))
    const node = h('div', 'cell', ...views.map((view) => view.node))
    this.#cells.push({ node, views })
    this.node.append(node)
  }

  #remove(): void {
    const cell = this.#cells.pop()
    for (const view of cell?.views ?? []) view.destroy()
    cell?.node.remove()
  }

  /** A cell is as large as its content. */
  #places(props: Props, size: Size, count: number): (index: number) => Readonly<Record<string, string>> {
    const cell = {
      width: Math.max(1, ...this.#children.map(({ element: { x, width } }) => x + width)),
      height: Math.max(1, ...this.#children.map(({ element: { y, height } }) => y + height)),
    }
    const gap = number(props, 'gap', 0, 0, 1_000)
    const columns = Math.round(number(props, 'columns', 1, 1, maxCells))
    const direction = oneOf(props, 'direction', ['down', 'up', 'right', 'left'], 'down')
    // A list with few cells may be aligned at the start, the centre or the end.
    const align = oneOf(props, 'align', ['start', 'center', 'end'], 'start')
    const isAcross = direction === 'left' || direction === 'right'
    const step = { x: cell.width + gap, y: cell.height + gap }
    const along = Math.ceil(count / columns)
    const used = along * (isAcross ? step.x : step.y) - gap
    const spare = (isAcross ? size.width : size.height) - used
    const begin = align === 'start' ? 0 : align === 'center' ? spare / 2 : spare
    return (index) => {
      const [aside, ahead] = [index % columns, Math.floor(index / columns)]
      const isTurned = direction === 'up' || direction === 'left'
      const from = begin + (isTurned ? along - 1 - ahead : ahead) * (isAcross ? step.x : step.y)
      return {
        left: `${isAcross ? from : aside * step.x}px`,
        top: `${isAcross ? aside * step.y : from}px`,
        width: `${cell.width}px`,
        height: `${cell.height}px`,
      }
    }
  }
}
