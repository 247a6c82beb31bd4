import { chatForm } from '../../../../core/markdown-chat.ts'

/**
 * Splits a text that is too long for one message. It is cut at the end of a paragraph, else of a line, a sentence or a
 * word, else anywhere. A visible character is cut only if it alone is too long. Only white space at the cuts is lost; a
 * code block that is cut is closed and opened again. Lengths are in UTF-16 code units, which are never fewer than
 * characters. (D33; domain: 8.4)
 *
 * @param limit the maximum length of a part, at least 100
 * @param first the maximum length of the first part, if the message begins with other text
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

/** A block between two code marks. The platform accepts the marks anywhere on a line. */
interface CodeBlock {
  /** The start of the opening mark. */
  readonly start: number
  /** The end of the opening mark, or of its line if the line names a language. */
  readonly inner: number
  /** The start of the closing mark. */
  readonly close: number
  /** The end of the closing mark. */
  readonly end: number
  readonly language: string
}

function findCode(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  for (let at = 0; ; ) {
    const start = text.indexOf(fence, at)
    const close = start < 0 ? -1 : text.indexOf(fence, start + fence.length)
    // A mark without a closing one is plain text.
    if (close < 0) return blocks
    const [line = '', language = ''] = /^([a-z0-9_+\-.#]{0,20})\n/i.exec(text.slice(start + fence.length, close)) ?? []
    at = close + fence.length
    blocks.push({ start, inner: start + fence.length + line.length, close, end: at, language })
  }
}

/** The code block that a cut at this place would divide; null if none. */
function blockAt(blocks: readonly CodeBlock[], at: number): CodeBlock | null {
  return blocks.find(({ start, end }) => start < at && at < end) ?? null
}

interface Cut {
  readonly end: number
  /** Where the next part starts. */
  readonly next: number
  /** Whether the part ends inside a code block. */
  readonly closes: boolean
}

function cutBehind(text: string, start: number, room: number, blocks: readonly CodeBlock[]): Cut {
  if (text.length - start <= room) return { end: text.length, next: text.length, closes: false }
  const end = endOf(text, start, room)
  if (blockAt(blocks, end) === null) return { end, next: behindSpace(text, end), closes: false }
  return cutInCode(text, start, endOf(text, start, room - closing.length), blocks)
}

/** Moves a cut that would leave an empty code block in one of the parts. */
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

/** The places where a text may be cut, from the best to the worst. */
const ends = [
  /\n(?=[^\S\n]*\n)/g,
  /(?=\n)/g,
  /(?<=[.!?…]["'”’)\]]*)(?=\s)|(?<=[。！？][”’」』）]*)(?![”’」』）\p{M}\u200d])/gu,
  /(?=\s)/g,
]

/** The last good place to end a part of at most `room` code units. */
function endOf(text: string, start: number, room: number): number {
  // The window has one more character, so that an end exactly at `room` is found.
  const window = text.slice(start, start + room + 1)
  const forms = formsUntil(text.slice(start), room)
  for (const end of ends) {
    const places = Array.from(window.matchAll(end), ({ index }) => index)
    const place = places.findLast((at) => at <= room && formAt(forms, at) === undefined)
    // If there are no words before the last place, there are none before any earlier one.
    if (place !== undefined && hasWords(window.slice(0, place))) return start + place
  }
  const rest = text.slice(start)
  return start + wholeForms(forms, wholeCharacters(rest, room))
}

/** The maximum length of a form. */
const maxFormLength = 250

interface Form {
  readonly start: number
  readonly end: number
}

/** Finds the forms that the platform reads as one, such as times or commands, and that begin before `end`. (D61) */
function formsUntil(text: string, end: number): readonly Form[] {
  return Array.from(text.slice(0, end + maxFormLength).matchAll(chatForm), ({ index, 0: { length } }) => {
    return { start: index, end: index + length }
  })
}

/** The form that a cut at this place would divide. */
function formAt(forms: readonly Form[], at: number): Form | undefined {
  return forms.find(({ start, end }) => start < at && at < end)
}

/** Moves the cut before the form, unless the part would be empty then. (D61) */
function wholeForms(forms: readonly Form[], end: number): number {
  return formAt(forms, end)?.start || end
}

/** Whether the text has more than code marks and the names of their languages. */
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
