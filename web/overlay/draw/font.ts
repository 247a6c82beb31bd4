import type { SceneDocument } from '../../../src/engine/scenes/document.ts'
import { h, style } from '../dom.ts'
import { mediaAddress } from '../model/addresses.ts'
import type { Props } from '../model/props.ts'
import { number, text } from '../model/props.ts'

/** Families by the names that every document has; other writing systems fall back to what the machine has. */
const families: Readonly<Record<string, string>> = {
  sans: "'Atkinson Hyperlegible Next Variable', system-ui, sans-serif",
  display: "'Sofia Sans Condensed Variable', 'Arial Narrow', system-ui, sans-serif",
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'ui-monospace, Consolas, Menlo, monospace',
}

export const usualFamily = families.sans as string

export function familyOf(name: string, own: ReadonlyMap<string, string>): string {
  const given = own.get(name)
  if (given !== undefined) return `'${given}', ${usualFamily}`
  return Object.hasOwn(families, name) ? (families[name] as string) : usualFamily
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
 * The fonts of a document, by the names that its elements use. They get families of their own, so that none takes the place of
 * another one's. A font that cannot be had is one that the fallback stands in for.
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
const mostWidths = 5_000
const digits = new Map<string, number>()

/** How wide a line is, without the page being laid out for it. */
export function widthOf(line: string, size: number, { family, weight, isItalic }: Face): number {
  // Digits are equally wide: a number that counts keeps its size.
  const key = `${isItalic ? 'italic ' : ''}${weight} 100px ${family}|${line.replace(/[0-9]/g, '0')}`
  let width = widths.get(key)
  if (width === undefined) {
    canvas ??= document.createElement('canvas').getContext('2d')
    if (canvas === null) return 0
    const [font = ''] = key.split('|')
    canvas.font = font
    const count = line.match(/[0-9]/g)?.length ?? 0
    // Figures of equal width are not moved nearer to what is beside them.
    canvas.fontKerning = count > 0 ? 'none' : 'auto'
    width = canvas.measureText(line.replace(/[0-9]/g, '0')).width + count * wider(font, canvas)
    if (widths.size >= mostWidths) widths.clear()
    widths.set(key, width)
  }
  return (width * size) / 100
}

/** Pixels by which a digit is wider on the page, where all are equally wide, than on a canvas, which cannot be told so: at 100 px. */
function wider(font: string, canvas: CanvasRenderingContext2D): number {
  const known = digits.get(font)
  if (known !== undefined) return known
  const probe = h('span', '', '0000000000')
  style(probe, {
    font,
    ...{
      'font-variant-numeric': 'tabular-nums',
      'text-rendering': 'geometricPrecision',
      position: 'absolute',
      visibility: 'hidden',
      'white-space': 'pre',
    },
  })
  document.body.append(probe)
  const more = (probe.getBoundingClientRect().width - canvas.measureText('0000000000').width) / 10
  probe.remove()
  digits.set(font, more)
  return more
}

/** What was measured with a font that has not come yet is measured anew. */
export function forgetWidths(): void {
  widths.clear()
  digits.clear()
}
