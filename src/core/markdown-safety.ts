import type { Token } from 'markdown-it'
import { lazily } from './lazily.ts'
import { codeRegions } from './markdown-code.ts'
import { isEasyToParse, maxNesting } from './markdown-effort.ts'
import { parserClass } from './markdown-parser.ts'
import { defuseTags, removeTags } from './markdown-tags.ts'
import { neutraliseTargets, schemeClass } from './markdown-targets.ts'

/**
 * A parser with no scruples of its own, which shows what any renderer could find in a text: HTML passes, and any address
 * makes a link. Without what only turns words into other words.
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
 * One for each way in which extensions change where code begins, since a table cell ends a code span, and a bare address
 * swallows a backtick; and without which sign in the text a parser finds the same as the first one.
 */
const readings = lazily(() => [
  { parser: naiveParser([]), signs: [] },
  { parser: naiveParser(['table']), signs: ['|'] },
  { parser: naiveParser(['linkify']), signs: ['://'] },
  { parser: naiveParser(['table', 'linkify']), signs: ['|', '://'] },
])

/**
 * Makes Markdown fit to be stored and given to third parties. (D36, D61) Takes text that `cleanText` has been over: were
 * invisible characters dropped only afterwards, they could leave a tag behind.
 *
 * Only what is HTML goes: tags, comments and declarations of what HTML, SVG and MathML know, while what stands between tags stays, but
 * for script and style; and addresses that are hostile: active ones (javascript:, data: and the like) become `#`, links to unknown
 * schemes become plain text. All else stays as given: `a < b`, `a<b`, `<key>`, the chat platform's own forms, code, tables, entities.
 * HTML in code stays readable with a space after the `<`. Applying it twice is the same as once.
 *
 * Where code is, is guessed first. If a real parser then finds HTML or a bad address, or the text would change again, the
 * guess was wrong, and the source is cleaned as though it held no code; so is a text that is too much for a parser. Takes
 * time linear in the length of the source, beside at most four readings of a text that is easy to parse.
 */
export function sanitiseMarkdown(source: string): string {
  return remembered.get(source) ?? sanitise(source)
}

/** Sources that were made safe beside the event loop, with the results. */
const remembered = new Map<string, string>()
/** As many as bodies that are at work at once hold; of 40,000 characters each they take some ten megabytes. */
export const maxRemembered = 64

/** Has `sanitiseMarkdown` know the result for a source, which it was asked for elsewhere. */
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

/** The last one sees what stands behind an address only once that is `#`: `[a]:vbscript:x<b =`. */
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
 * As `sanitiseMarkdown`, but never longer than the source: what resembles HTML loses its `<`, code is no exception, and
 * addresses of unknown schemes become `#` too. `tidy` is applied before the last step, so that what it joins is seen.
 */
export function sanitiseTightly(source: string, tidy: (text: string) => string): string {
  const defuse = (text: string) => defuseTags(text, [], ' ')
  // Again, for a name may end where the first time put a space, as in `<div<!--`, or stand behind an address no more.
  return defuse(neutraliseTargets(defuse(tidy(removeTags(source, []))), [], 'tight'))
}

function isInert(text: string): boolean {
  if (!isEasyToParse(text)) return false
  const relevant = readings().filter(({ signs }) => signs.every((sign) => text.includes(sign)))
  return relevant.every(({ parser }) => parser.parse(text, {}).every(isInertToken))
}

function isInertToken(token: Token): boolean {
  // What is no element is text to us, though others take it for HTML that they do not know.
  if (token.type === 'html_block' || token.type === 'html_inline') {
    return clean(token.content, () => []) === token.content
  }
  const address = token.attrGet('href') ?? token.attrGet('src')
  const harmless = token.info === 'auto' ? ['listed', 'none', 'other'] : ['listed', 'none']
  if (address !== null && !harmless.includes(schemeClass(String(address)))) return false
  return token.children?.every(isInertToken) ?? true
}
