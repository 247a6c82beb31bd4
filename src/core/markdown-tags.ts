import { codeLookup, isEscaped, type Region } from './markdown-code.ts'
import { schemeClass } from './markdown-targets.ts'

/**
 * Takes HTML out of Markdown. Everything that could open a tag, comment or declaration in any HTML parser begins with
 * `<` and a letter, `/`, `!` or `?`; after `defuseTags` no such pair is left but for the exceptions named there. (D36)
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Names that mean something to a browser: HTML with its obsolete elements, and the roots of SVG and MathML. */
const knownElements = words(
  'a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink ' +
    'blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del ' +
    'details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption figure font footer foreignobject ' +
    'form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen ' +
    'label layer legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr ' +
    'noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp ' +
    'rt rtc ruby s samp script search section select selectedcontent set shadow slot small source spacer span strike ' +
    'strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul use ' +
    'var video wbr xml xmp',
)
const rawTextElements = words('script style')
/** Elements whose removal would glue two words together. */
const breakingElements = words('br dd div dt h1 h2 h3 h4 h5 h6 hr li p td th tr')
const bareFormatting = /<\/?(?:b|br|code|del|em|i|ins|kbd|mark|s|small|strong|sub|sup|u)\s*\/?>/iy
const openable = /<(?:[a-z!?]|\/[a-z])/iy
/**
 * An absolute address, with spaces where it is a link's target, or an e-mail address, in angle brackets. Where it is
 * pasted as HTML, each `/` and space begins an attribute of an unknown element, so what could be a handler is no address.
 */
const autolink = new RegExp(
  '<(?:(?![^\\s<>]*/(?:on\\w*|style)=)(?:(?:https?|ftp)://|mailto:)[^\\s<>"`\\p{Cc}]*' +
    '|(?:https?|ftp)://[^<>"`=\\p{Cc}]*|[\\w.+-]{1,64}@[\\w.-]{1,255})>',
  'iuy',
)
/** Longer names are cut: no known one is near that long, and an unbounded search would be quadratic. */
const tagName = /<\/?([a-z][^\s/>]{0,40})/iy
/** In UTF-16 units; what is longer is prose, and is defused instead of removed. */
const longestTag = 1000

/**
 * Removes comments, declarations, elements' tags, and script and style with what they hold. Text between tags stays;
 * code stays; so does what only resembles a tag, like `<your name>`.
 */
export function removeTags(text: string, code: readonly Region[]): string {
  const isCode = codeLookup(code)
  const tags = new Tags(text)
  let out = ''
  let kept = 0
  let glued = false
  for (let at = text.indexOf('<'); at !== -1; ) {
    const spared = !matchesAt(openable, text, at) || isCode(at) || isEscaped(text, at)
    const end = spared ? null : markupEnd(text, at, tags)
    if (end !== null) {
      out += text.slice(kept, at)
      glued = at > kept ? isInk(text[at - 1]) : glued
      if (end.breaks && glued && isInk(text[end.offset])) {
        out += ' '
        glued = false
      }
      kept = end.offset
    }
    at = text.indexOf('<', end?.offset ?? at + 1)
  }
  return out + text.slice(kept)
}

/**
 * Puts `open` in place of each `<` that an HTML parser could take for the beginning of a tag. Spared are autolinks, and in
 * code what no browser gives a meaning: bare formatting such as `<b>`, and unknown names without attribute values.
 */
export function defuseTags(text: string, code: readonly Region[], open = '< '): string {
  const isCode = codeLookup(code)
  const tags = new Tags(text)
  let out = ''
  let kept = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!matchesAt(openable, text, at) || matchesAt(autolink, text, at)) continue
    if (isCode(at) && isHarmlessInCode(text, at, tags)) continue
    out += text.slice(kept, at) + open
    kept = at + 1
  }
  return out + text.slice(kept)
}

/** Text that no HTML parser finds anything in, for places where even autolinks and code are only text. */
export function stripTags(text: string): string {
  return removeTags(text, []).replace(/<(?=[a-z!?]|\/[a-z])/gi, '< ')
}

function isHarmlessInCode(text: string, at: number, tags: Tags): boolean {
  if (matchesAt(bareFormatting, text, at)) return true
  const name = nameAt(text, at)
  const tag = tags.at(at)
  return name !== null && tag !== null && !tag.includes('<', 1) && !looksLikeElement(name, tag)
}

function isInk(char: string | undefined): boolean {
  return char !== undefined && /\S/.test(char)
}

interface MarkupEnd {
  readonly offset: number
  readonly breaks: boolean
}

function markupEnd(text: string, at: number, tags: Tags): MarkupEnd | null {
  if (text.startsWith('<!--', at)) return endAt(tags.endOf('-->', at + 2))
  const tag = tags.at(at)
  if (tag === null) return null
  if (text[at + 1] === '!' || text[at + 1] === '?') return endAt(at + tag.length)
  const name = nameAt(text, at)
  if (name === null || matchesAt(autolink, text, at) || !looksLikeElement(name, tag)) return null
  const end = at + tag.length
  if (rawTextElements.has(name) && text[at + 1] !== '/') return endAt(tags.endOfElement(name, end) ?? end)
  return { offset: end, breaks: breakingElements.has(name) }
}

function endAt(offset: number | null): MarkupEnd | null {
  return offset === null ? null : { offset, breaks: false }
}

function looksLikeElement(name: string, tag: string): boolean {
  return knownElements.has(name) || tag.includes('=') || schemeClass(name) === 'active'
}

function nameAt(text: string, at: number): string | null {
  tagName.lastIndex = at
  return tagName.exec(text)?.[1]?.toLowerCase() ?? null
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** Finds what closes tags, comments and elements, for offsets asked in rising order, and in linear time altogether. */
class Tags {
  readonly #text: string
  readonly #ends: Uint32Array
  readonly #exhausted = new Set<string>()

  constructor(text: string) {
    this.#text = text
    this.#ends = text.includes('<') ? tagEnds(text) : new Uint32Array()
  }

  /** The tag at an offset from `<` to `>`, or null where none is closed near enough. */
  at(at: number): string | null {
    const end = this.#ends[at] ?? 0
    return end === 0 || end - at >= longestTag ? null : this.#text.slice(at, end + 1)
  }

  endOf(mark: string, from: number): number | null {
    if (this.#exhausted.has(mark)) return null
    const found = this.#text.indexOf(mark, from)
    if (found === -1) this.#exhausted.add(mark)
    return found === -1 ? null : found + mark.length
  }

  endOfElement(name: string, from: number): number | null {
    if (this.#exhausted.has(name)) return null
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    closing.lastIndex = from
    if (closing.test(this.#text)) return this.endOf('>', closing.lastIndex) ?? this.#text.length
    this.#exhausted.add(name)
    return null
  }
}

/**
 * For each `<`, the offset of the `>` that closes the tag: the first one outside quoted values or, where that is too far,
 * the first one at all, but none behind a blank line. Zero where there is none. Read from the end to the beginning, where
 * each answer follows from those behind it, so that no stretch is read twice.
 */
function tagEnds(text: string): Uint32Array {
  const ends = new Uint32Array(text.length)
  /** By offset, the end of a tag whose reading goes on there, outside quotes. */
  const unquoted = new Uint32Array(text.length + 1)
  /** By the offset of a quote, the next one of its kind. */
  const closers = new Uint32Array(text.length)
  const nothing = { ink: text.length, '>': 0, '"': 0, "'": 0 }
  /** The next character that is no white space, and the next one of each kind that matters. */
  const next = { ...nothing }
  let isBlankLine = false
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] ?? ''
    if (char === '\n' && isBlankLine) Object.assign(next, nothing)
    else unquoted[at] = unquoted[at + 1] ?? 0
    if (char === '<') {
      const end = unquoted[at] ?? 0
      ends[at] = end > 0 && end - at < longestTag ? end : next['>']
    }
    if (char === '=' && /["']/.test(text[next.ink] ?? '')) {
      const closer = closers[next.ink] ?? 0
      unquoted[at] = closer === 0 ? 0 : (unquoted[closer + 1] ?? 0)
    }
    if (char === '>') unquoted[at] = at
    if (char === '"' || char === "'") closers[at] = next[char]
    if (char === '>' || char === '"' || char === "'") next[char] = at
    if (/\S/.test(char)) next.ink = at
    if (char === '\n') isBlankLine = true
    else if (!/[ \t\r]/.test(char)) isBlankLine = false
  }
  return ends
}
