import { formatters } from '../../../../src/engine/scenes/formatters.ts'
import { type DrawnType, type elementParts, usualParts } from '../../../../src/engine/scenes/parts.ts'
import type { TreeMap, TreeMatch } from '../../../../src/engine/scenes/tree.ts'
import { h, style } from '../../dom.ts'
import { shownAddress } from '../../model/addresses.ts'
import { colorOf, list, number, oneOf, type Props, readableOn, text } from '../../model/props.ts'
import type { Context, Painter, Size } from '../context.ts'
import { familyOf } from '../font.ts'
import { Pictures, portrait } from '../pictures.ts'

/** Drawings that read the tree as a whole: maps, brackets, tables. */

/** The default colours, used when neither the element nor a variable of that name in the document has one. */
const usual = {
  text: '#f3f6f4',
  muted: '#a8b6b0',
  ground: '#141b19f2',
  raised: '#212b28',
  line: '#34413c',
  accent: '#53d3a5',
} as const

type Look = Readonly<Record<keyof typeof usual, string>>

/** The line heights of the densities. */
const densities = { compact: 0.78, normal: 1, spacious: 1.25 } as const

/** The inputs and helpers of a drawing. */
export interface Brush<Type extends DrawnType> {
  readonly context: Context
  readonly size: Size
  readonly props: Props
  readonly look: Look
  shows(part: (typeof elementParts)[Type][number]): boolean
  readonly maxRows: number
  /** The height of a line as a multiple of the usual height. */
  readonly stretch: number
  picture(address: string | null): HTMLImageElement | null
  /** Shows the first letters of the name when there is no picture. */
  portrait(kind: string, name: string, address: string | null): HTMLElement
  /** The colour of a side of the match, by its number. */
  sideColor(side: number | null): string | null
  /** Such as “20:30”, in the tournament’s time zone. */
  time(at: string | null, pattern?: string): string
}

export abstract class Drawn<Type extends DrawnType> implements Painter {
  readonly node: HTMLElement
  readonly #type: Type
  readonly #pictures = new Pictures()
  #drawn = ''

  /** @param name its CSS class */
  constructor(type: Type, name: string) {
    this.#type = type
    this.node = h('div', `drawn ${name}`)
  }

  /**
   * All values of the tree that the drawing shows. Nothing is drawn again while these and the inputs of the brush are
   * unchanged.
   */
  protected abstract shown(brush: Brush<Type>): unknown

  protected abstract draw(brush: Brush<Type>): readonly (HTMLElement | SVGElement | null)[]

  update(props: Props, context: Context, size: Size): boolean {
    const brush = this.#brush(props, context, size)
    const { look, maxRows, stretch } = brush
    const { sideColors, around, bound } = context.reading
    // The colours of the sides by place and by number, the order of the sides, and the time zone.
    const sides = [sideColors, around.colors, bound.sides.map((side) => side.number)]
    const fonts = [props.font, props.displayFont, [...context.fonts]]
    const given = [props.parts, fonts, look, maxRows, stretch, size, sides, around.timezone]
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

  #brush(props: Props, context: Context, size: Size): Brush<Type> {
    const { reading, media } = context
    const { variables, around } = reading
    const { color, muted, background, raised, line, accent } = props
    const own: Readonly<Record<keyof Look, unknown>> = { text: color, muted, ground: background, raised, line, accent }
    const look = Object.fromEntries(
      Object.entries(usual).map(([name, otherwise]) => [
        name,
        colorOf(own[name as keyof Look], variables) ?? colorOf(`var(${name})`, variables) ?? otherwise,
      ]),
    ) as Look
    const given = list(props, 'parts')
    const parts = given.length === 0 ? usualParts(this.#type) : given
    const picture = (address: string | null) => {
      const shown = shownAddress(address, media)
      return shown === null ? null : this.#pictures.take(shown)
    }
    return {
      context,
      size,
      props,
      look,
      shows: (part) => parts.includes(part),
      maxRows: Math.round(number(props, 'maxRows', 16, 1, 32)),
      stretch: densities[oneOf(props, 'density', ['compact', 'normal', 'spacious'], 'normal')],
      picture,
      portrait: (kind, name, address) =>
        portrait(
          this.#pictures,
          kind,
          shownAddress(address, media),
          String(formatters.initials?.(name, [], around) ?? ''),
        ),
      sideColor: (side) => (side === null ? null : (around.colors[side - 1] ?? null)),
      time: (at, pattern = 'time') => String(formatters.date?.(at, [pattern], around) ?? ''),
    }
  }
}

/** Sets the font size, which is the unit of the rest of the drawing. */
export function sized(node: HTMLElement, px: number): HTMLElement {
  style(node, { 'font-size': `${Math.round(px * 100) / 100}px` })
  return node
}

export function styled<Node extends HTMLElement>(node: Node, styles: Parameters<typeof style>[1]): Node {
  style(node, styles)
  return node
}

/** A label on a coloured ground, in black or white, whichever is easier to read. */
export function tag(words: string, color: string, name = 'tag'): HTMLElement {
  return styled(h('span', name, words), { background: color, color: readableOn(color) })
}

/** @param shown whether to show the difficulty, and the characteristic where it is not the usual one */
export function difficultyTag(
  { difficulty, characteristic }: TreeMap,
  around: Context['reading']['around'],
  shown: { readonly difficulty: boolean; readonly characteristic: boolean },
): HTMLElement | null {
  const color = String(formatters.difficultyColor?.(difficulty, [], around) ?? '#5b6a64')
  const name = String(formatters.difficultyName?.(difficulty, [], around) ?? difficulty)
  const isUsual = characteristic.toLowerCase() === 'standard' || characteristic === ''
  const words = [shown.difficulty ? name : null, shown.characteristic && !isUsual ? characteristic : null]
  const told = words.filter((word) => word !== null)
  return told.length === 0 ? null : tag(told.join(' '), color, 'tag difficulty')
}

export function flairTag({ flair }: TreeMap, look: Look): HTMLElement | null {
  if (flair === null) return null
  return tag(flair.name, /^#[0-9a-f]{6}$/i.test(flair.color) ? flair.color : look.accent, 'tag flair')
}

/** Modifiers whose names say something else than what players call them. */
const modifierNames: Readonly<Record<string, string>> = { DemoNoFail: 'No fail', DemoNoObstacles: 'No walls' }

/** `DisappearingArrows` as “Disappearing arrows”. */
export function modifierName(modifier: string): string {
  const words = modifier.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return modifierNames[modifier] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

export function tagOfModifier(modifier: string): HTMLElement {
  return h('span', 'tag plain', modifierName(modifier))
}

export function mapName(map: TreeMap): string {
  return map.name ?? map.key ?? 'Unknown map'
}

interface Standing {
  /** True also without a winner: drawn, or forfeited by both. */
  readonly isOver: boolean
  readonly isRunning: boolean
  /** The time of the match, or a word for its state; empty when neither is known. */
  readonly when: string
  /** The CSS class of a side. */
  sideKind(index: number): '' | ' winner' | ' beaten'
}

/** The state of a match. */
export function standingOf({ status, scheduledAt, sides }: TreeMatch, time: Brush<'bracket'>['time']): Standing {
  const words: Readonly<Record<string, string>> = { running: 'Live', completed: 'Ended', cancelled: 'Cancelled' }
  const isWon = sides.some(({ isWinner }) => isWinner)
  return {
    isOver: status === 'completed',
    isRunning: status === 'running',
    when: words[status] ?? time(scheduledAt),
    sideKind: (index) => (sides[index]?.isWinner ? ' winner' : isWon ? ' beaten' : ''),
  }
}

/** The name of a side, or its placeholder while it is unknown. */
export function namesOf({ sides }: Pick<TreeMatch, 'sides'>, index: number): string {
  const side = sides[index]
  return side?.name ?? side?.placeholder ?? 'To be decided'
}
