import { codeLookup, isEscaped, type Region } from './markdown-code.ts'
import { schemeClass } from './markdown-targets.ts'

/**
 * Removes HTML from Markdown. In any HTML parser, a tag, comment or declaration begins with `<` and a letter, `/`, `!`
 * or `?`. Only what HTML, SVG or MathML defines is removed; any other text in angle brackets stays as it is. (D36, D61)
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** The elements of HTML, obsolete ones included, and the root elements of SVG and MathML. */
const htmlElements = words(
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink ' +
    'blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del ' +
    'details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption figure font footer form ' +
    'frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen ' +
    'label layer legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr ' +
    'noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp ' +
    'rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span strike ' +
    'strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul ' +
    'var video wbr xml xmp',
)
const foreignElements = words(
  'animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix fecomponenttransfer ' +
    'fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca ' +
    'fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight ' +
    'fespecularlighting fespotlight fetile feturbulence filter foreignobject g line lineargradient marker mask metadata ' +
    'mpath path pattern polygon polyline radialgradient rect set stop switch symbol text textpath tspan use view ' +
    'annotation annotation-xml maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts ' +
    'mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics',
)
const rawTextElements = words('script style')
/** Elements whose removal would glue two words together. */
const breakingElements = words('br dd div dt h1 h2 h3 h4 h5 h6 hr li p td th tr')
const bareFormatting = /<\/?(?:b|br|code|del|em|i|ins|kbd|mark|s|small|strong|sub|sup|u)\s*\/?>/iy
const openable = /<(?:[a-z!?]|\/[a-z])/iy
const declaration = /<!(?:doctype|element|entity|attlist|notation|\[cdata\[)|<\?[a-z]/iy
/** Attributes that run script or make a browser load something; nobody writes them in angle brackets as text. */
const hostileAttribute =
  /[\s/"'](?:on[a-z]+|style|src(?:set|doc)?|(?:xlink:)?href|(?:form)?action|background|poster|data)\s*=/i
/** A tag as Markdown defines it, which excludes text between two comparison signs. */
const wellFormedTag = /^<\/?[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>$/i
/** The beginning of a Markdown line after which a block begins, quotes and lists included. */
const lineStart = /(?:^|\n)[ \t>*+.)\d-]*$/
/**
 * An absolute address (with spaces where it is a link's target) or an e-mail address, in angle brackets. Where the text
 * is pasted as HTML, each `/` and space begins an attribute of an unknown element, so an address that could hold an
 * event handler does not match.
 */
const autolink = new RegExp(
  '<(?:(?![^\\s<>]*/(?:on\\w*|style)=)(?:(?:https?|ftp)://|mailto:)[^\\s<>"`\\p{Cc}]*' +
    '|(?:https?|ftp)://[^<>"`=\\p{Cc}]*|[\\w.+-]{1,64}@[\\w.-]{1,255})>',
  'iuy',
)
/** Longer names are cut: no known name is near that long, and an unbounded search would be quadratic. */
const tagName = /<\/?([a-z][^\s/>]{0,40})/iy
/** In UTF-16 units; a longer match counts as prose, and is defused instead of removed. */
const maxTagLength = 1000

/**
 * Removes comments, declarations, tags of elements, and script and style with their content. Text between tags stays;
 * code stays; so does text that is no element, like `<your name>` and `a<b`.
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
 * Replaces each `<` that still opens HTML by `open`: one after a backslash or in code, one that the removal of other
 * tags made, and that of an unclosed tag which the rest of a page would close. Bare formatting, such as `<b>`, stays
 * after a backslash and in code.
 */
export function defuseTags(text: string, code: readonly Region[], open = '< '): string {
  const isCode = codeLookup(code)
  const tags = new Tags(text)
  let out = ''
  let kept = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!matchesAt(openable, text, at)) continue
    if (markupEnd(text, at, tags) === null && !isLeftOpen(text, at, tags)) continue
    if ((isCode(at) || isEscaped(text, at)) && matchesAt(bareFormatting, text, at)) continue
    out += text.slice(kept, at) + open
    kept = at + 1
  }
  return out + text.slice(kept)
}

/** A text without any element, for places where even autolinks and code are only text. */
export function stripTags(text: string): string {
  return defuseTags(removeTags(text, []), [])
}

/**
 * Whether text that follows could close what is unclosed here: a comment, or a tag that begins a block or has
 * attributes. `a <b` does not count.
 */
function isLeftOpen(text: string, at: number, tags: Tags): boolean {
  if (text.startsWith('<!--', at)) return tags.endOf('-->', at + 2) === null
  const name = nameAt(text, at)
  if (name === null || tags.at(at) !== null) return false
  if (tags.wouldAct(at)) return true
  if (!isKnown(name) || isBehindWord(text, at)) return false
  const rest = text.slice(at + 1, at + maxTagLength)
  const own = rest.slice(0, /<|\n[ \t\r]*\n/.exec(rest)?.index)
  return own.includes('=') || own.length === maxTagLength - 1 || lineStart.test(text.slice(Math.max(at - 100, 0), at))
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
  const end = at + tag.length
  if (text[at + 1] === '!' || text[at + 1] === '?') return matchesAt(declaration, text, at) ? endAt(end) : null
  const name = nameAt(text, at)
  if (name === null || matchesAt(autolink, text, at) || !isElement(name, tag, isBehindWord(text, at))) return null
  if (rawTextElements.has(name) && text[at + 1] !== '/') return endAt(tags.endOfElement(name, end) ?? end)
  return { offset: end, breaks: breakingElements.has(name) }
}

function endAt(offset: number | null): MarkupEnd | null {
  return offset === null ? null : { offset, breaks: false }
}

/**
 * Directly after a letter or digit, a `<` is a comparison, unless the name is an HTML element's and the tag ends on its
 * line. (D85) A tag that would act by itself always counts as an element.
 */
function isElement(name: string, tag: string, isBehindWord: boolean): boolean {
  if (schemeClass(name) === 'active' || hostileAttribute.test(tag)) return true
  if (!isBehindWord || tag[1] === '/') return isKnown(name)
  return htmlElements.has(name) && !tag.includes('\n') && wellFormedTag.test(tag)
}

function isKnown(name: string): boolean {
  return htmlElements.has(name) || foreignElements.has(name)
}

function isBehindWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1)
  if (code < 0x80) return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
  return at > 0 && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(at - 2, 0), at))
}

function nameAt(text: string, at: number): string | null {
  tagName.lastIndex = at
  return tagName.exec(text)?.[1]?.toLowerCase() ?? null
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/**
 * Finds the ends of tags, comments and elements. Offsets must rise from call to call; all calls together take linear
 * time.
 */
class Tags {
  readonly #text: string
  readonly #ends: Uint32Array
  readonly #exhausted = new Set<string>()
  /** Hostile attributes in their order, each with the offset of the `>` before it. */
  #hostile: { readonly at: number; readonly closed: number }[] | undefined
  #nextHostile = 0

  constructor(text: string) {
    this.#text = text
    this.#ends = text.includes('<') ? tagEnds(text) : new Uint32Array()
  }

  /** The tag at an offset from `<` to `>`; null where it is not closed within `maxTagLength`. */
  at(at: number): string | null {
    const end = this.#ends[at] ?? 0
    return end === 0 || end - at >= maxTagLength ? null : this.#text.slice(at, end + 1)
  }

  /**
   * Whether an unclosed tag would have a hostile attribute, for a parser that continues after blank lines. Offsets must
   * rise.
   */
  wouldAct(at: number): boolean {
    this.#hostile ??= hostileIn(this.#text)
    while ((this.#hostile[this.#nextHostile]?.at ?? at) < at) this.#nextHostile++
    const next = this.#hostile[this.#nextHostile]
    return next !== undefined && next.closed < at
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

function hostileIn(text: string) {
  const found: { at: number; closed: number }[] = []
  let closed = -1
  for (const { 0: mark, index } of text.matchAll(new RegExp(`>|${hostileAttribute.source}`, 'gi'))) {
    if (mark === '>') closed = index
    else found.push({ at: index, closed })
  }
  return found
}

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32]
const [doubleQuote, singleQuote, lessThan, equals, greaterThan] = [34, 39, 60, 61, 62]

/**
 * For each `<`, the offset of the `>` that closes the tag: the first one outside quoted values or, where that is too
 * far, the first one at all, but none after a blank line. Zero where there is none. Scans from the end to the
 * beginning, where each result follows from the later ones, so that no stretch is read twice.
 */
function tagEnds(text: string): Uint32Array {
  const ends = new Uint32Array(text.length)
  /** By offset: the end of a tag that is read on from there, outside quotes. */
  const unquoted = new Uint32Array(text.length + 1)
  /** By the offset of a quote: the next quote of its kind. */
  const closers = new Uint32Array(text.length)
  const nothing = { ink: text.length, '>': 0, '"': 0, "'": 0 }
  /** The next character that is not white space, and the next one of each kind that matters. */
  const next = { ...nothing }
  let isBlankLine = false
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at)
    if (code === newline && isBlankLine) Object.assign(next, nothing)
    else unquoted[at] = unquoted[at + 1] ?? 0
    if (code === lessThan) {
      const end = unquoted[at] ?? 0
      ends[at] = end > 0 && end - at < maxTagLength ? end : next['>']
    } else if (code === equals) {
      const quote = text.charCodeAt(next.ink)
      if (quote === doubleQuote || quote === singleQuote) {
        const closer = closers[next.ink] ?? 0
        unquoted[at] = closer === 0 ? 0 : (unquoted[closer + 1] ?? 0)
      }
    } else if (code === greaterThan) {
      unquoted[at] = at
      next['>'] = at
    } else if (code === doubleQuote || code === singleQuote) {
      const char = code === doubleQuote ? '"' : "'"
      closers[at] = next[char]
      next[char] = at
    }
    const isSpace = code === space || code === tab || code === carriageReturn
    if ((code > space && code < 0x80) || /\S/.test(text[at] ?? '')) next.ink = at
    if (code === newline) isBlankLine = true
    else if (!isSpace) isBlankLine = false
  }
  return ends
}
