import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/** Rows of a list that are dragged to other places of it. Everything can be done without it, too. */

interface Dragging {
  /** The rows in their order. */
  readonly rows: readonly HTMLElement[]
  readonly move: (from: number, to: number) => void
}

export function dragRows({ rows, move }: Dragging): () => void {
  const mark = (row: HTMLElement, edge: 'above' | 'below' | undefined) => {
    if (edge === undefined) delete row.dataset.drop
    else row.dataset.drop = edge
  }
  return combine(
    ...rows.flatMap((row, at) => [
      draggable({
        element: row,
        dragHandle: row.querySelector('[data-handle]') ?? row,
        getInitialData: () => ({ seedingFrom: at }),
        onDragStart: () => {
          row.dataset.dragged = ''
        },
        onDrop: () => delete row.dataset.dragged,
      }),
      dropTargetForElements({
        element: row,
        canDrop: ({ source }) => typeof source.data.seedingFrom === 'number' && rows.includes(source.element),
        getData: ({ input, element }) => {
          const { top, height } = element.getBoundingClientRect()
          return { isBelow: input.clientY > top + height / 2 }
        },
        onDrag: ({ self }) => mark(row, self.data.isBelow === true ? 'below' : 'above'),
        onDragLeave: () => mark(row, undefined),
        onDrop: ({ self, source }) => {
          mark(row, undefined)
          const from = source.data.seedingFrom as number
          const gap = at + (self.data.isBelow === true ? 1 : 0)
          const to = gap > from ? gap - 1 : gap
          if (to !== from) move(from, to)
        },
      }),
    ]),
  )
}
