import { chatForm } from '../../../../core/markdown-chat.ts'

/**
 * A text that is too long for one message goes out as several, cut at the end of a paragraph, else of a line, a sentence
 * or a word, and only then elsewhere, but inside of what a reader sees as one character only where that alone is too
 * long. Nothing is lost or moved but white space at the cuts; a block of code that is cut is closed and opened again.
 * Lengths are in UTF-16 code units, of which there are no fewer than characters by any other count. (D33; domain: 8.4)
 *
 * @param limit at least 100
 * @param first that of the first part, where something else stands before it
 */
export function splitText(source: string, limit: number, first = limit): string[] {
  const text = source.trim()
  const blocks = findCode(text)
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const block = blockAt(blocks, start)
    const opening = block === null ? '' : `${fence}${block.language}\n`
    const room = (parts.length === 0 ? first : limit) - opening.length
    const cut = cutBehind(text, start, room, blocks)
    const part = text.slice(start, cut.end)
    parts.push(`${opening}${cut.closes ? `${part.replace(/\n$/, '')}${closing}` : part.trimEnd()}`)
    start = cut.next
  }
  return parts
}

const fence = '```'
const closing = `\n${fence}`

/** The platform takes whatever stands between two of these marks for code, wherever on a line they stand. */
interface CodeBlock {
  /** Of its first mark. */
  readonly start: number
  /** Behind the first mark, and the line that it stands on where that names a language. */
  readonly inner: number
  /** Of its second mark. */
  readonly close: number
  /** Behind the second mark. */
  readonly end: number
  readonly language: string
}

function findCode(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  for (let at = 0; ; ) {
    const start = text.indexOf(fence, at)
    const close = start < 0 ? -1 : text.indexOf(fence, start + fence.length)
    // A mark without a second one is text.
    if (close < 0) return blocks
    const [line = '', language = ''] = /^([a-z0-9_+\-.#]{0,20})\n/i.exec(text.slice(start + fence.length, close)) ?? []
    at = close + fence.length
    blocks.push({ start, inner: start + fence.length + line.length, close, end: at, language })
  }
}

/** The block that a cut at this place would go through. */
function blockAt(blocks: readonly CodeBlock[], at: number): CodeBlock | null {
  return blocks.find(({ start, end }) => start < at && at < end) ?? null
}

interface Cut {
  readonly end: number
  /** Where the next part starts. */
  readonly next: number
  /** The part ends inside of code. */
  readonly closes: boolean
}

function cutBehind(text: string, start: number, room: number, blocks: readonly CodeBlock[]): Cut {
  if (text.length - start <= room) return { end: text.length, next: text.length, closes: false }
  const end = endOf(text, start, room)
  if (blockAt(blocks, end) === null) return { end, next: behindSpace(text, end), closes: false }
  return cutInCode(text, start, endOf(text, start, room - closing.length), blocks)
}

/** Neither part gets a block without anything in it. */
function cutInCode(text: string, start: number, end: number, blocks: readonly CodeBlock[]): Cut {
  const block = blockAt(blocks, end)
  if (block === null) return { end, next: behindSpace(text, end), closes: false }
  if (isBlank(text, block.inner, end) && block.start > start) {
    return { end: block.start, next: block.start, closes: false }
  }
  if (isBlank(text, end, block.close)) {
    return { end: Math.min(end, block.close), next: behindSpace(text, block.end), closes: true }
  }
  return { end, next: text[end] === '\n' ? end + 1 : end, closes: true }
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === ''
}

function behindSpace(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)
}

/** Where something ends, from the best place for a cut to the worst. */
const ends = [
  /\n(?=[^\S\n]*\n)/g,
  /(?=\n)/g,
  /(?<=[.!?…]["'”’)\]]*)(?=\s)|(?<=[。！？][”’」』）]*)(?![”’」』）\p{M}\u200d])/gu,
  /(?=\s)/g,
]

/** The last place at which a part of at most `room` should end. */
function endOf(text: string, start: number, room: number): number {
  // With one character more, what ends right there is seen.
  const window = text.slice(start, start + room + 1)
  const forms = formsUntil(text.slice(start), room)
  for (const end of ends) {
    const places = Array.from(window.matchAll(end), ({ index }) => index)
    const place = places.findLast((at) => at <= room && formAt(forms, at) === undefined)
    // Where the last place has no words before it, no place has.
    if (place !== undefined && hasWords(window.slice(0, place))) return start + place
  }
  const rest = text.slice(start)
  return start + wholeForms(forms, wholeCharacters(rest, room))
}

/** No form is longer. */
const longestForm = 250

interface Form {
  readonly start: number
  readonly end: number
}

/** What the platform reads as one, such as a time or a command, as far as it begins before `end`. (D61) */
function formsUntil(text: string, end: number): readonly Form[] {
  return Array.from(text.slice(0, end + longestForm).matchAll(chatForm), ({ index, 0: { length } }) => {
    return { start: index, end: index + length }
  })
}

/** The form that a cut at this place would go through. */
function formAt(forms: readonly Form[], at: number): Form | undefined {
  return forms.find(({ start, end }) => start < at && at < end)
}

/** It goes with the next part, unless the part would have nothing before it. (D61) */
function wholeForms(forms: readonly Form[], end: number): number {
  return formAt(forms, end)?.start || end
}

/** Whether there is more than marks of code, and the languages that they name. */
function hasWords(text: string): boolean {
  return text.replace(/```([a-z0-9_+\-.#]{0,20}(?=\n|$))?/gi, '').trim() !== ''
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

function wholeCharacters(text: string, room: number): number {
  const whole = graphemes.segment(text).containing(room)?.index ?? room
  if (whole > 0) return whole
  const isLow = /[\uDC00-\uDFFF]/.test(text.charAt(room))
  return isLow ? room - 1 : room
}
