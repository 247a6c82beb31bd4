import { formatters } from '../../../../src/engine/scenes/formatters.ts'
import type { TreeMap, TreeMatch } from '../../../../src/engine/scenes/tree.ts'
import { h, style } from '../../dom.ts'
import { ownAddress } from '../../model/addresses.ts'
import { colorOf, list, number, type Props, readableOn, record, text } from '../../model/props.ts'
import type { Context, Painter, Size } from '../context.ts'
import { familyOf } from '../font.ts'
import { Pictures, portrait } from '../pictures.ts'

/** What is drawn from the tree as a whole: maps, brackets, tables. */

const usual = {
  text: '#f3f6f4',
  muted: '#a8b6b0',
  ground: '#141b19f2',
  raised: '#212b28',
  line: '#34413c',
  accent: '#53d3a5',
} as const

type Look = Readonly<Record<keyof typeof usual, string>>

/** What a drawing works with. */
export interface Brush {
  readonly context: Context
  readonly size: Size
  readonly props: Props
  readonly look: Look
  /** Names of the parts that are shown; null for all that there are. */
  shows(part: string): boolean
  /** Rows at most; as many as fit where the document does not say. */
  readonly mostRows: number
  readonly isCompact: boolean
  picture(address: string | null): HTMLImageElement | null
  /** With the first letters of the name where there is no picture. */
  portrait(kind: string, name: string, address: string | null): HTMLElement
  /** Of a side of the match by its number. */
  sideColor(side: number | null): string | null
  /** “20:30”, in the tournament’s time zone. */
  time(at: string | null, pattern?: string): string
}

export abstract class Drawn implements Painter {
  readonly node: HTMLElement
  readonly #pictures = new Pictures()
  #drawn = ''

  constructor(name: string) {
    this.node = h('div', `drawn ${name}`)
  }

  /** All that the drawing shows of the tree: while it is the same, nothing is drawn anew. */
  protected abstract shown(brush: Brush): unknown

  protected abstract draw(brush: Brush): readonly (HTMLElement | SVGElement | null)[]

  update(props: Props, context: Context, size: Size): boolean {
    const brush = this.#brush(props, context, size)
    const { look, mostRows } = brush
    const { sideColors } = context.reading
    const given = [props.parts, props.font, look, mostRows, brush.isCompact, size, sideColors]
    const drawn = JSON.stringify([given, this.shown(brush)])
    if (drawn === this.#drawn) return false
    this.#drawn = drawn
    style(this.node, {
      'font-family': familyOf(text(props, 'font', 'sans'), context.fonts),
      '--display': familyOf(text(props, 'displayFont', 'display'), context.fonts),
      ...Object.fromEntries(Object.entries(look).map(([name, color]) => [`--${name}`, color])),
      '--on-accent': readableOn(look.accent),
      '--side1': sideColors[0],
      '--side2': sideColors[1],
    })
    this.#pictures.begin()
    this.node.replaceChildren(...this.draw(brush).filter((node) => node !== null))
    this.#pictures.end()
    return false
  }

  #brush(props: Props, context: Context, size: Size): Brush {
    const { reading, media } = context
    const { variables, around } = reading
    const own = record(props, 'colors')
    const look = Object.fromEntries(
      Object.entries(usual).map(([name, color]) => [
        name,
        colorOf(own[name], variables) ?? colorOf(`var(${name})`, variables) ?? color,
      ]),
    ) as Look
    const parts = list(props, 'parts')
    const picture = (address: string | null) => {
      const shown = ownAddress(address, media)
      return shown === null ? null : this.#pictures.take(shown)
    }
    return {
      context,
      size,
      props,
      look,
      shows: (part) => parts.length === 0 || parts.includes(part),
      mostRows: Math.round(number(props, 'maxRows', 16, 1, 64)),
      isCompact: props.density === 'compact',
      picture,
      portrait: (kind, name, address) =>
        portrait(
          this.#pictures,
          kind,
          ownAddress(address, media),
          String(formatters.initials?.(name, [], around) ?? ''),
        ),
      sideColor: (side) => (side === null ? null : (around.colors[side - 1] ?? null)),
      time: (at, pattern = 'time') => String(formatters.date?.(at, [pattern], around) ?? ''),
    }
  }
}

/** A size in which all else of a drawing is measured. */
export function sized(node: HTMLElement, px: number): HTMLElement {
  style(node, { 'font-size': `${Math.round(px * 100) / 100}px` })
  return node
}

export function styled<Node extends HTMLElement>(node: Node, styles: Parameters<typeof style>[1]): Node {
  style(node, styles)
  return node
}

/** A word on a ground of a colour, in the one of two that is read on it. */
export function tag(words: string, color: string, name = 'tag'): HTMLElement {
  return styled(h('span', name, words), { background: color, color: readableOn(color) })
}

export function difficultyTag(
  { difficulty, characteristic }: TreeMap,
  around: Context['reading']['around'],
): HTMLElement {
  const color = String(formatters.difficultyColor?.(difficulty, [], around) ?? '#5b6a64')
  const name = String(formatters.difficultyName?.(difficulty, [], around) ?? difficulty)
  const isUsual = characteristic.toLowerCase() === 'standard' || characteristic === ''
  return tag(isUsual ? name : `${name} ${characteristic}`, color, 'tag difficulty')
}

export function mapName(map: TreeMap): string {
  return map.name ?? map.key ?? 'Unknown map'
}

/** Who plays, as far as it is known. */
export function namesOf({ sides }: Pick<TreeMatch, 'sides'>, index: number): string {
  const side = sides[index]
  return side?.name ?? side?.placeholder ?? 'To be decided'
}
