import { h, setText, style } from '../dom.ts'
import { colorOf, number, oneOf, type Props, record, text } from '../model/props.ts'
import type { Context, Painter, Size } from './context.ts'
import { faceOf, widthOf } from './font.ts'

const places = { left: 'flex-start', center: 'center', right: 'flex-end' } as const
const heights = { top: 'flex-start', middle: 'center', bottom: 'flex-end' } as const

/** The smallest share of its size to which text shrinks; text that still does not fit is cut. */
const minShare = 0.45

export class TextPainter implements Painter {
  readonly #line = h('span', 'line')
  readonly node = h('div', 'text', this.#line)

  update(props: Props, context: Context, size: Size): boolean {
    this.write(text(props, 'text'), props, context, size)
    return false
  }

  /** @param own replaces the colour of the element */
  write(given: string, props: Props, { reading, fonts }: Context, { width }: Size, own?: string | null): void {
    const { variables } = reading
    const face = faceOf(props, fonts)
    const size = number(props, 'size', 32, 4, 600)
    const spacing = number(props, 'letterSpacing', 0, -50, 200)
    const fit = oneOf(props, 'fit', ['clip', 'ellipsis', 'shrink', 'wrap'], 'clip')
    const letters = oneOf(props, 'case', ['none', 'upper', 'lower'], 'none')
    const shown = letters === 'upper' ? given.toUpperCase() : letters === 'lower' ? given.toLowerCase() : given
    // A pixel less than the width, so that rounding never cuts the last letter.
    const share =
      fit === 'shrink' ? Math.min(1, Math.max(1, width - 1) / (this.#width(shown, size, spacing, face) || 1)) : 1
    const align = oneOf(props, 'align', ['left', 'center', 'right'], 'left')
    const outline = record(props, 'outline')
    const stroke = number(outline, 'width', 0, 0, 50)
    setText(this.#line, shown)
    style(this.node, {
      'justify-content': places[align],
      'align-items': heights[oneOf(props, 'verticalAlign', ['top', 'middle', 'bottom'], 'middle')],
      'text-align': align,
      'font-family': face.family,
      'font-weight': String(face.weight),
      'font-style': face.isItalic ? 'italic' : 'normal',
      'font-size': `${Math.round(size * Math.max(minShare, share) * 100) / 100}px`,
      'line-height': String(number(props, 'lineHeight', 1.15, 0.5, 4)),
      'letter-spacing': spacing === 0 ? null : `${spacing * Math.max(minShare, share)}px`,
      color: own ?? colorOf(props.color, variables) ?? '#ffffff',
      '-webkit-text-stroke': stroke === 0 ? null : `${stroke * 2}px ${colorOf(outline.color, variables) ?? '#000000'}`,
    })
    style(this.#line, {
      'white-space': fit === 'wrap' ? 'pre-wrap' : 'pre',
      'text-overflow': fit === 'clip' ? null : 'ellipsis',
      overflow: fit === 'wrap' || stroke > 0 ? 'visible' : 'hidden',
    })
  }

  #width(shown: string, size: number, spacing: number, face: ReturnType<typeof faceOf>): number {
    const lines = shown.split('\n').map((line) => widthOf(line, size, face) + line.length * spacing)
    return Math.max(0, ...lines)
  }
}
