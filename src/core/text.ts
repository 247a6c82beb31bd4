import type { Token } from 'markdown-it'
import type sanitizeHtml from 'sanitize-html'
import { countCharacters } from './characters.ts'
import { lazily, load } from './lazily.ts'
import { chatForm, linkAddressesAlone, showTimes } from './markdown-chat.ts'
import { isEasyToParse, maxNesting } from './markdown-effort.ts'
import { type Parser, parserClass } from './markdown-parser.ts'
import { sanitiseMarkdown, sanitiseTightly } from './markdown-safety.ts'
import { stripTags } from './markdown-tags.ts'
import { mediaGuidIn } from './media.ts'

/** Text from outside: the rules for every string, and the forms in which rich text is returned. (D9, D36) */

/** `reason` is the end of a sentence that begins with the member's name. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

const control = /[^\P{Cc}\n\t]/u
/** Embeddings, overrides and isolates: they reorder the text that follows, so that a name reads as another one. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/
/** Zero-width space, word joiner, byte order mark, soft hyphen: hints to a typesetter, invisible in names. */
const invisible = /[\u200B\u2060\uFEFF\u00AD]/g
const joiners = /[\u200C\u200D]+/g
/**
 * Basic and extended Latin without characters that are refused, dropped or composed: such a text only needs its ends
 * trimmed.
 */
const settled = /^[\n\t\x20-\x7E\xA1-\xAC\xAE-\u02FF]*$/
/** Maximum consecutive marks on one character, the number of the Stream-Safe Text Format. (UAX #15) */
const maxMarks = 30

/**
 * Trims a string, normalises it to NFC and line ends to LF, or says why it is refused. (D9)
 *
 * Refused: control characters except newline and tab, lone surrogates, and bidirectional controls that reorder text.
 * Left-to-right and right-to-left marks stay, for they only settle neutral characters.
 *
 * Characters without width would let two names look alike. Typesetting hints are dropped, since they carry no content.
 * Joiners (ZWJ, ZWNJ) are content in emoji, Arabic and Indic scripts and stay there, but are dropped where they join
 * nothing: at an end, next to white space or next to ASCII.
 *
 * Normalising takes quadratic time in the marks on one character, hence their limit; no writing needs more than a few.
 */
export function cleanText(input: string): Checked<string> {
  const text = input.replaceAll('\r\n', '\n')
  if (settled.test(text)) return { ok: true, value: text.trim() }
  if (control.test(text)) return { ok: false, reason: 'must not contain control characters other than newline and tab' }
  if (!text.isWellFormed()) return { ok: false, reason: 'must be valid Unicode, without lone surrogates' }
  if (reordering.test(text)) return { ok: false, reason: 'must not contain characters that reverse the text direction' }
  const visible = text.replace(invisible, '').replace(joiners, collapseJoiners)
  // Normalising may decompose a character, which adds a mark.
  const value = bearsTooMany(visible) ? visible : visible.normalize('NFC').trim()
  if (bearsTooMany(value)) return { ok: false, reason: `must not set more than ${maxMarks} marks on one character` }
  return { ok: true, value }
}

/**
 * Table by code point of the first two planes: 1 for a mark. In the other planes only variation selectors are marks,
 * and they bear no accents. A regular expression for each character would take a hundred times as long.
 */
const combining = lazily(() => {
  const table = new Uint8Array(0x20000)
  const units = Uint16Array.from(table.keys(), (unit) => unit)
  const basic = Buffer.from(units.buffer, 0, 0x20000).toString('utf16le')
  const beyond = Array.from({ length: 0x10000 }, (_none, index) => String.fromCodePoint(0x10000 + index)).join('')
  for (const { 0: mark } of `${basic} ${beyond}`.matchAll(/\p{M}/gu)) table[mark.codePointAt(0) ?? 0] = 1
  return table
})

function bearsTooMany(text: string): boolean {
  const table = combining()
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isPair = unit >= 0xd800 && unit < 0xdc00
    const code = isPair ? (text.codePointAt(at) ?? 0) : unit
    if (isPair) at++
    run = table[code] === 1 || (code >= 0xe0100 && code <= 0xe01ef) ? run + 1 : 0
    if (run > maxMarks) return true
  }
  return false
}

function collapseJoiners(run: string, at: number, text: string): string {
  const joins = (char: string | undefined) => char !== undefined && /[^\p{ASCII}\s]/u.test(char)
  return joins(text[at - 1]) && joins(text[at + run.length]) ? run.charAt(0) : ''
}

/** A text on one line, in which any white space counts as one space. Expects input without white space at its ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/**
 * Rich text as it is stored: safe Markdown in the form that `cleanText` gives. It has at most `maxCharacters` code
 * points where the source has, and applying it again changes nothing. (D36)
 */
export function readMarkdown(source: string, maxCharacters: number): string {
  const safe = sanitiseMarkdown(source)
  const text = tidy(safe)
  const isSettled = text === safe || tidy(sanitiseMarkdown(text)) === text
  if (isSettled && countCharacters(text) <= maxCharacters) return text
  return tidy(sanitiseTightly(source, tidy))
}

/** All sources for which `readMarkdown` calls `sanitiseMarkdown`, with the results. */
export function safeForms(source: string): [source: string, safe: string][] {
  const safe = sanitiseMarkdown(source)
  const text = tidy(safe)
  const forms: [string, string][] = [[source, safe]]
  if (text !== safe) forms.push([text, sanitiseMarkdown(text)])
  return forms
}

/** Repairs what removals leave: white space at the ends, and adjacent characters that NFC composes. */
function tidy(text: string): string {
  const cleaned = cleanText(text)
  return cleaned.ok ? cleaned.value : text
}

/**
 * The state of one rendering, which the library passes from rule to rule. A type and not an interface, so that it is
 * assignable to the library's type.
 */
type Showing = { readonly mediaOrigin: string; isInLink: boolean }

type Rule = NonNullable<Parser['renderer']['rules']['image']>

function markLinks(isInLink: boolean): Rule {
  return (tokens, index, options, env, renderer) => {
    if (env !== undefined) env.isInLink = isInLink
    return renderer.renderToken(tokens, index, options)
  }
}

const markdown = lazily(() => {
  const parser = new (parserClass())({ html: false, linkify: true, maxNesting })
  // Links only whole addresses: detecting others takes the parser most of its time.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add('//', null)
  linkAddressesAlone(parser)
  showTimes(parser)
  const { rules } = parser.renderer
  rules.link_open = markLinks(true)
  rules.link_close = markLinks(false)
  rules.image = linkOrPicture(parser, rules.image)
  // Between tags a quotation mark needs no character reference, and each reference costs the allow-list much time.
  rules.text = (tokens, index) => parser.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('&quot;', '"')
  return parser
})

/** Browsers load pictures only from us: an external picture becomes a link, which the reader may follow. (M27) */
function linkOrPicture({ utils: { escapeHtml } }: Parser, renderImage: Rule | undefined): Rule {
  return (tokens, index, options, env, renderer) => {
    const { mediaOrigin, isInLink } = env as Showing
    const token = tokens[index]
    const address = String(token?.attrGet('src') ?? '')
    const isOwn = typeof mediaGuidIn(mediaOrigin, address) === 'object'
    if (isOwn && renderImage) return renderImage(tokens, index, options, env, renderer)
    const words = escapeHtml(textOf(token?.children ?? []))
    // A link cannot contain another link.
    if (!/^https?:\/\//i.test(address) || isInLink) return words
    return `<a href="${escapeHtml(address)}">${words || escapeHtml(address)}</a>`
  }
}

/** The only allow-list of HTML. (D36) */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
    ...['strong', 'em', 's', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'time'],
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'], time: ['datetime'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  // The addresses of our own media, with either scheme.
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow ugc noopener noreferrer' } }),
  },
  // A relative address would point into the site that shows the text.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'a' && !/^(?:https?:|mailto:)/i.test(attribs.href ?? '') ? 'excludeTag' : false,
}

const sanitiser = lazily(() => load('sanitize-html') as typeof sanitizeHtml)

/**
 * Renders Markdown to HTML that holds nothing outside the allow-list: links to http, https and mailto, pictures from
 * our own media, and no style, class or id. Safe for any source, sanitised or not; a source that is too much for a
 * parser is shown as it was written. (D36)
 */
export function renderMarkdown(source: string, mediaOrigin: string): string {
  if (!isEasyToParse(source) || !isEasyToShow(source)) return `<p>${markdown().utils.escapeHtml(source)}</p>`
  return sanitiser()(markdown().render(source, { mediaOrigin, isInLink: false } satisfies Showing), allowed)
}

/** Character references are slow, since the allow-list decodes them again. */
const maxReferences = 1_000

function isEasyToShow(source: string): boolean {
  return (source.match(/[&<>]/g)?.length ?? 0) <= maxReferences
}

/** Accepts a link with any address, so that the address never appears in the text. */
const reader = lazily(() => {
  const parser = new (parserClass())({ html: false, maxNesting })
  parser.validateLink = () => true
  linkAddressesAlone(parser)
  return parser
})

/**
 * The text of Markdown on one line, without any markup. Tags are removed even where they were written as code or with
 * character references, so that a client that inserts the result as HTML still shows no element. (D36)
 */
export function plainText(source: string): string {
  if (unmarked.test(source)) return oneLine(source).trim()
  if (!isEasyToParse(source)) return oneLine(source.replace(marks, ' ')).trim()
  return oneLine(stripTags(oneLine(textOf(reader().parse(source, {}))))).trim()
}

/** One line of plain words, which contains no Markdown: most short texts match, and need no parsing. */
const unmarked = /^\p{L}[\p{L}\p{N} ,.!?]*$/u
/** All characters that could be markup, for a text that is too much for a parser. */
const marks = /[^\p{L}\p{M}\p{N}\s.,:;?'’-]/gu

function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => textOfToken(token)).join('')
}

function textOfToken(token: Token): string {
  if (token.children !== null) return textOf(token.children)
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
  // A line break at the beginning and end of a block separates its words from those of the next one.
  return token.block ? `${token.content}\n` : token.content
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The beginning of `plainText`, in at most `maxCharacters` Unicode code points. A cut is marked with `…`, which counts.
 * It falls between words, unless that would lose more than half, and never inside a grapheme or a form of the chat
 * platform. (D61)
 */
export function excerpt(source: string, maxCharacters: number): string {
  const text = plainText(source)
  if (countCharacters(text) <= maxCharacters) return text
  if (maxCharacters < 1) return ''
  const head = wholeForms(text, wholeGraphemes(text, maxCharacters - 1))
  const space = text[head.length] === ' ' ? head.length : withoutForms(head).lastIndexOf(' ')
  const cut = space > head.length / 2 ? head.slice(0, space) : head
  return `${cut.trimEnd()}…`
}

function wholeForms(text: string, head: string): string {
  for (const { index, 0: form } of text.matchAll(chatForm)) {
    if (index >= head.length) break
    if (index + form.length > head.length) return head.slice(0, index)
  }
  return head
}

/** The text at the same length, with each form replaced by underscores, so that no space is inside a form. */
function withoutForms(text: string): string {
  return text.replace(chatForm, (form) => '_'.repeat(form.length))
}

/**
 * The beginning of a text as it is, with its Markdown, in at most `maxCharacters` Unicode code points; a cut is marked
 * as in `excerpt`.
 */
export function beginning(text: string, maxCharacters: number): string {
  if (countCharacters(text) <= maxCharacters) return text
  const start = text.slice(0, 4 * maxCharacters)
  const head = wholeForms(start, wholeGraphemes(start, maxCharacters - 1))
  const ends = /^\s/.test(text.slice(head.length))
  const words = withoutForms(head)
  const space = ends ? head.length : Math.max(words.lastIndexOf(' '), words.lastIndexOf('\n'))
  return `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

function wholeGraphemes(text: string, maxCharacters: number): string {
  let end = 0
  let count = 0
  for (const { segment } of graphemes.segment(text)) {
    count += countCharacters(segment)
    if (count > maxCharacters) break
    end += segment.length
  }
  return text.slice(0, end)
}
