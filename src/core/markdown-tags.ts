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
/** How far from its beginning a tag is looked for, in UTF-16 units; what is longer is defused instead of removed. */
const longestTag = 1000

/**
 * Removes comments, declarations, elements' tags, and script and style with what they hold. Text between tags stays;
 * code stays; so does what only resembles a tag, like `<your name>`.
 */
export function removeTags(text: string, code: readonly Region[]): string {
  const isCode = codeLookup(code)
  const ends = new Ends(text)
  let out = ''
  let kept = 0
  let glued = false
  for (let at = text.indexOf('<'); at !== -1; ) {
    const spared = !matchesAt(openable, text, at) || isCode(at) || isEscaped(text, at)
    const end = spared ? null : markupEnd(text, at, ends)
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
 * Puts a space after each `<` that an HTML parser could take for the beginning of a tag. Spared are autolinks, and in
 * code what no browser gives a meaning: bare formatting such as `<b>`, and unknown names without attribute values.
 */
export function defuseTags(text: string, code: readonly Region[]): string {
  const isCode = codeLookup(code)
  let out = ''
  let kept = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!matchesAt(openable, text, at) || matchesAt(autolink, text, at)) continue
    if (isCode(at) && isHarmlessInCode(text, at)) continue
    out += `${text.slice(kept, at)}< `
    kept = at + 1
  }
  return out + text.slice(kept)
}

/** Text that no HTML parser finds anything in, for places where even autolinks and code are only text. */
export function stripTags(text: string): string {
  return removeTags(text, []).replace(/<(?=[a-z!?]|\/[a-z])/gi, '< ')
}

function isHarmlessInCode(text: string, at: number): boolean {
  if (matchesAt(bareFormatting, text, at)) return true
  const name = nameAt(text, at)
  const tag = tagAt(text, at)
  return name !== null && tag !== null && !tag.includes('<', 1) && !looksLikeElement(name, tag)
}

function isInk(char: string | undefined): boolean {
  return char !== undefined && /\S/.test(char)
}

interface MarkupEnd {
  readonly offset: number
  readonly breaks: boolean
}

function markupEnd(text: string, at: number, ends: Ends): MarkupEnd | null {
  if (text.startsWith('<!--', at)) return endAt(ends.after('-->', at + 2))
  const tag = tagAt(text, at)
  if (tag === null) return null
  if (text[at + 1] === '!' || text[at + 1] === '?') return endAt(at + tag.length)
  const name = nameAt(text, at)
  if (name === null || matchesAt(autolink, text, at) || !looksLikeElement(name, tag)) return null
  const end = at + tag.length
  if (rawTextElements.has(name) && text[at + 1] !== '/') return endAt(ends.ofElement(name, end) ?? end)
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

/** The tag at `at` from `<` to `>`, or null when none ends before a blank line. A quoted `>` is none. */
function tagAt(text: string, at: number): string | null {
  const reach = text.slice(at, at + longestTag)
  const blankLine = reach.search(/\n[ \t\r]*\n/)
  const window = blankLine === -1 ? reach : reach.slice(0, blankLine)
  const end = endOfTag(window) ?? window.indexOf('>')
  return end === -1 ? null : window.slice(0, end + 1)
}

function endOfTag(window: string): number | null {
  for (let at = 0; at < window.length; at++) {
    if (window[at] === '>') return at
    if (window[at] !== '=') continue
    while (/\s/.test(window[at + 1] ?? '')) at++
    const quote = window[at + 1]
    if (quote !== '"' && quote !== "'") continue
    at = window.indexOf(quote, at + 2)
    if (at === -1) return null
  }
  return null
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** Finds what closes a comment or element, and remembers what does not come again, so that no search is repeated. */
class Ends {
  readonly #text: string
  readonly #exhausted = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  after(mark: string, from: number): number | null {
    if (this.#exhausted.has(mark)) return null
    const found = this.#text.indexOf(mark, from)
    if (found === -1) this.#exhausted.add(mark)
    return found === -1 ? null : found + mark.length
  }

  ofElement(name: string, from: number): number | null {
    if (this.#exhausted.has(name)) return null
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    closing.lastIndex = from
    if (closing.test(this.#text)) return this.after('>', closing.lastIndex) ?? this.#text.length
    this.#exhausted.add(name)
    return null
  }
}
