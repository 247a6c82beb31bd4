import type { Page } from 'playwright-core'

/**
 * The minimum size of controls for fingers, and the minimum text size below which phones zoom into an input, in CSS
 * pixels.
 */
const minControlHeight = 44
const minInputText = 16
/** (WCAG 2.2, 1.4.3) */
const minContrast = 4.5

/** The faults of a page in readability and usability, as lines for a test failure; should be empty. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { title, language, headings, width, screenWidth, controls, texts, mutePictures } = await page.evaluate(measure)
  const faults: string[] = []
  if (title.trim() === '') faults.push('the page has no title')
  if (language === '') faults.push('the page does not say its language')
  if (headings !== 1) faults.push(`the page has ${headings} main headings`)
  if (width > screenWidth) faults.push(`the page is ${width} wide on a screen of ${screenWidth}`)
  if (mutePictures > 0) faults.push(`pictures without text in their place: ${mutePictures}`)
  for (const { what, label, height, textSize, isInput } of controls) {
    if (label.trim() === '') faults.push(`${what} without a label`)
    if (height < minControlHeight) faults.push(`the ${what} “${label}” is ${height} high`)
    if (isInput && textSize < minInputText) faults.push(`the ${what} “${label}” has text of ${textSize}`)
  }
  for (const { text, layers, ink } of texts) {
    const contrast = contrastOf(layers.map(readColour), readColour(ink.colour), ink.opacity)
    if (contrast < minContrast) faults.push(`“${text}” has a contrast of ${contrast.toFixed(2)}`)
  }
  return faults
}

interface Measured {
  readonly title: string
  readonly language: string
  readonly headings: number
  readonly width: number
  readonly screenWidth: number
  readonly controls: readonly {
    readonly what: string
    readonly label: string
    readonly height: number
    readonly textSize: number
    readonly isInput: boolean
  }[]
  readonly texts: readonly {
    readonly text: string
    /** The backgrounds under the text, the lowest first. */
    readonly layers: readonly string[]
    readonly ink: { readonly colour: string; readonly opacity: number }
  }[]
  readonly mutePictures: number
}

/** The used part of the DOM's types. */
interface Element {
  readonly localName: string
  readonly textContent: string | null
  readonly parentElement: Element | null
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>
  readonly labels?: Iterable<Element>
  readonly style: { color: string }
  getAttribute(name: string): string | null
  getBoundingClientRect(): { readonly height: number }
}
declare const document: {
  readonly title: string
  readonly documentElement: Element & { readonly lang: string; readonly scrollWidth: number }
  readonly body: Element
  querySelectorAll(selector: string): Iterable<Element>
}
declare const screen: { readonly width: number }
declare function getComputedStyle(element: Element): {
  readonly fontSize: string
  readonly color: string
  readonly backgroundColor: string
  readonly opacity: string
}

/** Runs in the page. */
function measure(): Measured {
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const { body, documentElement: root } = document
  const inkOfPage = body.style.color
  body.style.color = 'Canvas'
  const canvas = getComputedStyle(body).color
  body.style.color = inkOfPage

  const withParents = (element: Element): Element[] => [
    ...(element.parentElement === null ? [] : withParents(element.parentElement)),
    element,
  ]
  const ownText = (element: Element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === 3)
      .map(({ textContent }) => textContent ?? '')
      .join('')
      .trim()
  const labelOf = (element: Element) =>
    [element.getAttribute('aria-label'), element.localName === 'button' ? element.textContent : '']
      .concat([...(element.localName === 'button' ? [] : (element.labels ?? []))].map((label) => label.textContent))
      .join('')
      .trim()

  return {
    title: document.title,
    language: root.lang,
    headings: all('h1').length,
    width: root.scrollWidth,
    screenWidth: screen.width,
    controls: all('input:not([type=hidden]), button, select, textarea').map((element) => ({
      what: element.localName,
      label: labelOf(element),
      height: element.getBoundingClientRect().height,
      textSize: Number.parseFloat(getComputedStyle(element).fontSize),
      isInput: element.localName !== 'button',
    })),
    texts: [body, ...all('body *')]
      .filter((element) => ownText(element) !== '')
      .map((element) => {
        const styles = withParents(element).map(getComputedStyle)
        return {
          text: ownText(element),
          layers: [canvas, ...styles.map(({ backgroundColor }) => backgroundColor)],
          ink: {
            colour: getComputedStyle(element).color,
            opacity: styles.reduce((product, { opacity }) => product * Number(opacity), 1),
          },
        }
      }),
    mutePictures: all('img:not([alt])').length,
  }
}

/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
type Colour = readonly [number, number, number, number]

function readColour(css: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue, alpha]
}

function over(below: Colour, above: Colour): Colour {
  const [, , , alpha] = above
  const mix = (index: 0 | 1 | 2) => above[index] * alpha + below[index] * (1 - alpha)
  return [mix(0), mix(1), mix(2), 1]
}

/** (WCAG 2.2, contrast ratio) */
function contrastOf(layers: readonly Colour[], [red, green, blue, alpha]: Colour, opacity: number): number {
  const ground = layers.reduce(over)
  const lights = [ground, over(ground, [red, green, blue, alpha * opacity])].map(luminance)
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}

/** (WCAG 2.2, relative luminance) */
function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
