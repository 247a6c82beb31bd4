import type { SceneDocument } from '../../../src/engine/scenes/document.ts'
import { h, style } from '../dom.ts'
import { mediaAddress } from '../model/addresses.ts'
import type { Props } from '../model/props.ts'
import { number, text } from '../model/props.ts'

/**
 * Font families by the names that every document may use; the fonts of the machine are used for other writing systems.
 */
const families: Readonly<Record<string, string>> = {
  sans: "'Atkinson Hyperlegible Next Variable', system-ui, sans-serif",
  display: "'Sofia Sans Condensed Variable', 'Arial Narrow', system-ui, sans-serif",
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'ui-monospace, Consolas, Menlo, monospace',
}

export const defaultFamily = families.sans as string

export function familyOf(name: string, own: ReadonlyMap<string, string>): string {
  const given = own.get(name)
  if (given !== undefined) return `'${given}', ${defaultFamily}`
  return Object.hasOwn(families, name) ? (families[name] as string) : defaultFamily
}

export interface Face {
  readonly family: string
  readonly weight: number
  readonly isItalic: boolean
}

export function faceOf(props: Props, own: ReadonlyMap<string, string>): Face {
  return {
    family: familyOf(text(props, 'font', 'sans'), own),
    weight: number(props, 'weight', 400, 100, 900),
    isItalic: props.italic === true,
  }
}

const loaded = new Map<string, string>()

/**
 * The fonts of a document, by the names that its elements use. Each gets a family of its own, so that it never replaces
 * another font. The fallback is used for a font that cannot be loaded.
 */
export function loadFonts(fonts: SceneDocument['fonts'], media: string): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const [, { family, media: guid, weight = 400, italic = false }] of Object.entries(fonts ?? {})) {
    const address = mediaAddress(guid, media, 'woff2')
    if (address === null || !/^[A-Za-z0-9 ]{1,40}$/.test(family)) continue
    const key = `${family} ${guid} ${weight} ${italic}`
    const given = `own ${family}`
    if (!loaded.has(key)) {
      loaded.set(key, given)
      const face = new FontFace(given, `url("${address}")`, {
        weight: String(weight),
        style: italic ? 'italic' : 'normal',
      })
      document.fonts.add(face)
      face.load().catch(() => {})
    }
    named.set(family, given)
  }
  return named
}

let canvas: CanvasRenderingContext2D | null | undefined
const widths = new Map<string, number>()
const maxWidths = 5_000
const digits = new Map<string, number>()

/** The width of a line, measured without a layout of the page. */
export function widthOf(line: string, size: number, { family, weight, isItalic }: Face): number {
  // All digits have the same width, so that a counting number keeps its width.
  const key = `${isItalic ? 'italic ' : ''}${weight} 100px ${family}|${line.replace(/[0-9]/g, '0')}`
  let width = widths.get(key)
  if (width === undefined) {
    canvas ??= document.createElement('canvas').getContext('2d')
    if (canvas === null) return 0
    const [font = ''] = key.split('|')
    canvas.font = font
    const count = line.match(/[0-9]/g)?.length ?? 0
    // The page does not kern digits of equal width.
    canvas.fontKerning = count > 0 ? 'none' : 'auto'
    width = canvas.measureText(line.replace(/[0-9]/g, '0')).width + count * wider(font, canvas)
    if (widths.size >= maxWidths) widths.clear()
    widths.set(key, width)
  }
  return (width * size) / 100
}

/**
 * How much wider a digit is on the page, with tabular figures, than on a canvas, which cannot use them: in pixels at
 * 100 px.
 */
function wider(font: string, canvas: CanvasRenderingContext2D): number {
  const known = digits.get(font)
  if (known !== undefined) return known
  const probe = h('span', '', '0000000000')
  style(probe, {
    font,
    'font-variant-numeric': 'tabular-nums',
    'text-rendering': 'geometricPrecision',
    position: 'absolute',
    visibility: 'hidden',
    'white-space': 'pre',
  })
  document.body.append(probe)
  const more = (probe.getBoundingClientRect().width - canvas.measureText('0000000000').width) / 10
  probe.remove()
  digits.set(font, more)
  return more
}

/** Clears the measured widths, because fonts have been loaded since. */
export function forgetWidths(): void {
  widths.clear()
  digits.clear()
}
