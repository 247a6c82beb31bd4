import { clock } from '../../../src/engine/scenes/formatters.ts'
import type { Bound } from '../../../src/engine/scenes/tree.ts'
import { instantOf } from '../../../src/engine/scenes/values.ts'
import { h, style } from '../dom.ts'
import { colorOf, faded, list, maybeNumber, number, oneOf, type Props } from '../model/props.ts'
import type { Context, Painter, Size } from './context.ts'
import { TextPainter } from './text.ts'

const colorsOf = (props: Props, { reading: { variables } }: Context) =>
  list(props, 'colors').map((color) => colorOf(color, variables))

/** A bar: a progress, or the lead of one of two sides. */
export class BarPainter implements Painter {
  readonly #one = h('div', 'fill')
  readonly #other = h('div', 'fill')
  readonly #middle = h('div', 'middle')
  readonly node = h('div', 'bar', this.#one, this.#other, this.#middle)

  update(props: Props, context: Context): boolean {
    const [least, most] = [number(props, 'min', 0), number(props, 'max', 1)]
    const given = maybeNumber(props, 'value')
    const isTug = oneOf(props, 'mode', ['progress', 'tug'], 'progress') === 'tug'
    const none = isTug ? 0.5 : 0
    const share = given === null || most === least ? none : Math.max(0, Math.min(1, (given - least) / (most - least)))
    const [first, second] = colorsOf(props, context)
    const [one, other] = context.reading.sideColors
    const direction = oneOf(props, 'direction', ['left', 'right', 'up', 'down'], 'right')
    const isUpright = direction === 'up' || direction === 'down'
    const isTurned = direction === 'left' || direction === 'up'
    const axis = isUpright ? 'scaleY' : 'scaleX'
    const begin = isUpright ? (isTurned ? 'bottom' : 'top') : isTurned ? 'right' : 'left'
    if (isTug) {
      // The lead of a side grows from the middle towards the other side.
      const lead = (share - 0.5) * 2
      style(this.node, { background: faded(second ?? other, 0), '--middle': '1' })
      const half = (amount: number) => `${axis}(${Math.round(Math.max(0, amount) * 10_000) / 10_000})`
      style(this.#one, placeOf(isUpright, 'first', first ?? one, half(lead)))
      style(this.#other, placeOf(isUpright, 'second', second ?? other, half(-lead)))
      style(this.#middle, {
        display: 'block',
        ...(isUpright
          ? { width: '100%', height: '3px', top: 'calc(50% - 1.5px)', left: '0' }
          : { height: '100%', width: '3px', left: 'calc(50% - 1.5px)', top: '0' }),
      })
    } else {
      style(this.node, { background: second ?? faded(first ?? one, 0.22) })
      style(this.#one, {
        inset: '0',
        background: first ?? one,
        'transform-origin': begin,
        transform: `${axis}(${Math.round(share * 10_000) / 10_000})`,
      })
      style(this.#other, { display: 'none' })
      style(this.#middle, { display: 'none' })
    }
    return false
  }
}

function placeOf(isUpright: boolean, half: 'first' | 'second', background: string, transform: string) {
  const isFirst = half === 'first'
  const inset = isUpright ? (isFirst ? '0 0 50% 0' : '50% 0 0 0') : isFirst ? '0 50% 0 0' : '0 0 0 50%'
  const origin = isUpright ? (isFirst ? 'bottom' : 'top') : isFirst ? 'right' : 'left'
  return { display: 'block', inset, background, 'transform-origin': origin, transform }
}

const maxPips = 32

/** A count out of a total, such as won games. */
export class PipsPainter implements Painter {
  readonly node = h('div', 'pips')

  update(props: Props, { reading: { variables, sideColors } }: Context, { width, height }: Size): boolean {
    const total = Math.round(number(props, 'total', 0, 0, maxPips))
    const value = Math.round(number(props, 'value', 0, 0, maxPips))
    const gap = number(props, 'gap', 8, 0, 1_000)
    const filled = colorOf(props.filled, variables) ?? sideColors[0]
    const empty = colorOf(props.empty, variables) ?? faded(filled, 0.25)
    const shape = oneOf(props, 'shape', ['circle', 'rectangle', 'diamond', 'parallelogram'], 'circle')
    const isTurned = oneOf(props, 'direction', ['left', 'right'], 'right') === 'left'
    while (this.node.childElementCount > total) this.node.lastElementChild?.remove()
    while (this.node.childElementCount < total) this.node.append(h('div', 'pip'))
    // Round and diamond pips keep their shape.
    const room = total === 0 ? 0 : Math.max(1, (width - gap * (total - 1)) / total)
    const isRound = shape === 'circle' || shape === 'diamond'
    const side = Math.min(room, height)
    style(this.node, { gap: `${gap}px`, 'flex-direction': isTurned ? 'row-reverse' : 'row' })
    Array.from(this.node.children, (pip, index) =>
      style(pip as HTMLElement, {
        width: `${isRound ? side : room}px`,
        height: `${isRound ? side : height}px`,
        background: index < value ? filled : empty,
        'border-radius': shape === 'circle' ? '50%' : null,
        'clip-path':
          shape === 'diamond'
            ? 'polygon(50% 0, 100% 50%, 50% 100%, 0 50%)'
            : shape === 'parallelogram'
              ? 'polygon(24% 0, 100% 0, 76% 100%, 0 100%)'
              : null,
      }),
    )
    return false
  }
}

/** Seconds until the end of a countdown; null while there is none. */
export function secondsLeft(source: string, bound: Bound, now: number): number | null {
  const until = (at: string | null | undefined) => {
    const due = instantOf(at)
    return due === null ? null : Math.max(0, (due - now) / 1_000)
  }
  switch (source) {
    case 'countdown':
      return until(bound.control.countdownTo)
    case 'schedule':
      return until(bound.match?.scheduledAt)
    case 'song':
      return bound.live?.secondsLeft ?? null
    default: {
      const watch = bound.flow?.clock ?? null
      if (watch === null) return null
      return watch.pausedAt === null ? until(watch.dueAt) : (watch.remainingMs ?? 0) / 1_000
    }
  }
}

function timeOf(seconds: number, format: string): string {
  const whole = Math.ceil(seconds)
  if (format === 'seconds') return String(whole)
  if (format === 'h:mm:ss') return whole >= 3_600 ? clock(whole) : `0:${clock(whole).padStart(5, '0')}`
  return clock(whole)
}

export class TimerPainter implements Painter {
  readonly #text = new TextPainter()
  readonly node = this.#text.node

  update(props: Props, context: Context, size: Size): boolean {
    const { bound, around, variables } = context.reading
    const source = oneOf(props, 'source', ['flow', 'countdown', 'schedule', 'song'], 'flow')
    const left = secondsLeft(source, bound, around.now)
    const warnAt = number(props, 'warnAt', 0, 0, 86_400)
    const isWarning = left !== null && warnAt > 0 && left <= warnAt
    const color = isWarning ? colorOf(props.warnColor, variables) : null
    const shown = left === null ? '' : timeOf(left, oneOf(props, 'format', ['m:ss', 'h:mm:ss', 'seconds'], 'm:ss'))
    this.#text.write(shown, props, context, size, color)
    return false
  }
}
