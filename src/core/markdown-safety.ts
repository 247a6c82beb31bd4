import type { Token } from 'markdown-it'
import { lazily } from './lazily.ts'
import { codeRegions } from './markdown-code.ts'
import { isEasyToParse, maxNesting } from './markdown-effort.ts'
import { parserClass } from './markdown-parser.ts'
import { defuseTags, removeTags } from './markdown-tags.ts'
import { neutraliseTargets, schemeClass } from './markdown-targets.ts'

/**
 * A parser without safety rules, which finds all that any renderer could find in a text: HTML passes, and any address
 * makes a link. Rules that find neither HTML nor links are off: emphasis, entities and line breaks.
 */
function naiveParser(extensions: readonly ('table' | 'linkify')[]) {
  const parser = new (parserClass())('commonmark', { html: true, linkify: extensions.includes('linkify'), maxNesting })
  parser.enable([...extensions]).disable(['emphasis', 'entity', 'newline'])
  parser.core.ruler.enableOnly(['normalize', 'block', 'inline'])
  parser.inline.ruler2.enableOnly([])
  parser.validateLink = () => true
  return parser
}

/**
 * One parser for each way in which extensions change where code begins, since a table cell ends a code span, and a bare
 * address swallows a backtick. Without one of its `signs` in the text, a parser finds the same as the first one.
 */
const readings = lazily(() => [
  { parser: naiveParser([]), signs: [] },
  { parser: naiveParser(['table']), signs: ['|'] },
  { parser: naiveParser(['linkify']), signs: ['://'] },
  { parser: naiveParser(['table', 'linkify']), signs: ['|', '://'] },
])

/**
 * Makes Markdown safe to store and to give to third parties. (D36, D61) Expects text that `cleanText` has processed:
 * invisible characters that are dropped only afterwards could leave a tag behind.
 *
 * Only HTML is removed: tags, comments and declarations that HTML, SVG and MathML define. The text between tags stays,
 * except for script and style. Hostile addresses are defused: active ones (javascript:, data: and the like) become `#`,
 * links to unknown schemes become plain text. All else stays as given: `a < b`, `a<b`, `<key>`, the chat platform's own
 * forms, code, tables, entities. HTML in code stays readable with a space after the `<`. Applying it twice is the same
 * as once.
 *
 * The position of code is guessed first. If a real parser then finds HTML or a bad address, or the text would change
 * again, the guess was wrong, and the source is cleaned as though it held no code; so is a text that is too much for a
 * parser. Takes time linear in the length of the source, plus at most four parses of a text that is easy to parse.
 */
export function sanitiseMarkdown(source: string): string {
  return remembered.get(source) ?? sanitise(source)
}

/** Sources that were cleaned outside the event loop, with their results. */
const remembered = new Map<string, string>()
/** As many sources as concurrent bodies hold; with 40,000 characters each they take some ten megabytes. */
export const maxRemembered = 64

/** Caches the result of `sanitiseMarkdown` for a source, computed elsewhere. */
export function rememberSafe(source: string, safe: string): void {
  remembered.delete(source)
  remembered.set(source, safe)
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
}

function sanitise(source: string): string {
  const strict = clean(source, () => [])
  if (strict === source || !isEasyToParse(source)) return strict
  const careful = clean(source, codeRegions)
  if (careful === strict) return strict
  const settled = clean(careful, codeRegions) === careful
  return settled && isInert(careful) ? careful : strict
}

/** The last step sees the text after an address only once that address is `#`: `[a]:vbscript:x<b =`. */
const steps = [removeTags, defuseTags, neutraliseTargets, defuseTags]

function clean(source: string, findCode: typeof codeRegions): string {
  let text = source
  let code: ReturnType<typeof codeRegions> | undefined
  let defused: string | undefined
  for (const step of steps) {
    if (step === defuseTags && text === defused) break
    code ??= findCode(text)
    const next = step(text, code)
    if (step === defuseTags) defused = next
    if (next !== text) code = undefined
    text = next
  }
  return text
}

/**
 * Like `sanitiseMarkdown`, but the result is never longer than the source: text that resembles HTML loses its `<`, also
 * in code, and addresses of unknown schemes become `#` too. `tidy` is applied before the last step, so that the last
 * step sees what `tidy` joins.
 */
export function sanitiseTightly(source: string, tidy: (text: string) => string): string {
  const defuse = (text: string) => defuseTags(text, [], ' ')
  // A second time, because a name may end where the first pass put a space, as in `<div<!--`, or may follow an address
  // no more.
  return defuse(neutraliseTargets(defuse(tidy(removeTags(source, []))), [], 'tight'))
}

function isInert(text: string): boolean {
  if (!isEasyToParse(text)) return false
  const relevant = readings().filter(({ signs }) => signs.every((sign) => text.includes(sign)))
  return relevant.every(({ parser }) => parser.parse(text, {}).every(isInertToken))
}

function isInertToken(token: Token): boolean {
  // Unknown elements are text to us, though other parsers take them for HTML.
  if (token.type === 'html_block' || token.type === 'html_inline') {
    return clean(token.content, () => []) === token.content
  }
  const address = token.attrGet('href') ?? token.attrGet('src')
  const harmless = token.info === 'auto' ? ['listed', 'none', 'other'] : ['listed', 'none']
  if (address !== null && !harmless.includes(schemeClass(String(address)))) return false
  return token.children?.every(isInertToken) ?? true
}
