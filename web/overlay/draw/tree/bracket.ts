import type { Bound, TreeMatch } from '../../../../src/engine/scenes/tree.ts'
import { h, style, svg } from '../../dom.ts'
import { type Brush, Drawn, namesOf, sized, standingOf, styled } from './drawn.ts'

/** The match with the matches before and after it in the bracket. (overlays: Scene document) */
export class BracketPainter extends Drawn<'bracket'> {
  constructor() {
    super('bracket', 'bracket')
  }

  protected shown({ context: { reading }, shows }: Brush<'bracket'>) {
    const { bracket } = reading.bound
    const present = shows('current') ? presentOf(reading.bound) : null
    const highlighted = shows('highlighted') ? bracket.highlighted.map(({ guid }) => guid) : []
    return {
      columns: [
        shows('before') ? bracket.before : [],
        present === null ? [] : [present],
        shows('after') ? bracket.after : [],
      ],
      highlighted,
      present: present?.guid,
    }
  }

  protected draw(brush: Brush<'bracket'>) {
    const { size, maxRows } = brush
    const { columns, highlighted, present } = this.shown(brush)
    const filled = columns.map((column) => column.slice(0, maxRows)).filter((column) => column.length > 0)
    if (filled.length === 0) return []
    const gapX = filled.length === 1 ? 0 : Math.round(size.width * 0.055)
    const width = Math.min(620, (size.width - gapX * (filled.length - 1)) / filled.length)
    const used = width * filled.length + gapX * (filled.length - 1)
    const most = Math.max(...filled.map(({ length }) => length))
    const height = Math.min(width * 0.42, (size.height / most) * 0.84)
    const left = (size.width - used) / 2
    const place = (column: number, row: number, rows: number) => ({
      x: left + column * (width + gapX),
      y: (size.height / rows) * (row + 0.5) - height / 2,
    })
    const cards = filled.flatMap((column, at) =>
      column.map((match, row) => {
        const { x, y } = place(at, row, column.length)
        const isPresent = match.guid === present
        const card = matchCard(match, brush, isPresent || highlighted.includes(match.guid), isPresent)
        style(card, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
        return sized(card, Math.min(height / 5.1, width / 17))
      }),
    )
    const lines = filled.slice(1).flatMap((column, at) => {
      const from = filled[at] ?? []
      return from.flatMap((one, row) => {
        const begin = place(at, row, from.length)
        return column.map((_, other) => {
          const end = place(at + 1, other, column.length)
          return connector(
            begin.x + width,
            begin.y + height / 2,
            end.x,
            end.y + height / 2,
            highlighted.includes(one.guid),
          )
        })
      })
    })
    const drawing = svg('svg', { class: 'lines', viewBox: `0 0 ${size.width} ${size.height}` }, ...lines)
    return [drawing, ...cards]
  }
}

function connector(x: number, y: number, toX: number, toY: number, isLit: boolean): SVGElement {
  const middle = (x + toX) / 2
  const d = `M${x} ${y} H${middle} V${toY} H${toX}`
  return svg('path', { d, fill: 'none', 'stroke-width': '3', class: isLit ? 'lit' : '' })
}

/** The match itself, in the form of the matches around it. */
function presentOf({ match, sides }: Bound): TreeMatch | null {
  if (match === null) return null
  return {
    ...match,
    sides: sides.map(({ team, placeholder, score, result }) => ({
      name: team?.name ?? null,
      imageUrl: team?.imageUrl ?? null,
      placeholder,
      score,
      isWinner: result === 'win',
    })),
  }
}

export function matchCard(match: TreeMatch, brush: Brush<'bracket'>, isLit: boolean, isNow: boolean): HTMLElement {
  const { shows } = brush
  const { isOver, isRunning, sideKind, ...standing } = standingOf(match, brush.time)
  const when = shows('times') ? standing.when : ''
  const rows = [0, 1].map((index) => {
    const side = match.sides[index]
    const name = namesOf(match, index)
    const kind = side?.name == null ? ' unknown' : sideKind(index)
    const hasScore = shows('scores') && (isOver || isRunning)
    const score = !hasScore || side?.score == null ? '' : String(side.score)
    const row = h(
      'div',
      `row${kind}`,
      !shows('images')
        ? null
        : side?.name == null
          ? h('div', 'portrait none')
          : brush.portrait('', name, side.imageUrl),
      h('span', 'name', name),
      h('span', 'score', score),
    )
    return isNow ? styled(row, { '--edge': brush.context.reading.sideColors[index] ?? null }) : row
  })
  const head = h(
    'div',
    'head',
    h('span', 'label', shows('labels') ? match.label || `Match ${match.number}` : ''),
    h('span', isRunning && when !== '' ? 'when live' : 'when', when),
  )
  return h('div', `match${isLit ? ' lit' : ''}${isNow ? ' now' : ''}`, head, ...rows)
}
