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
 * Makes Markdown fit to be stored and given to third parties. (D36) Takes text that `cleanText` has been over: were
 * invisible characters dropped only afterwards, they could leave a tag behind.
 *
 * Afterwards, whichever Markdown renderer shows the text, even with HTML enabled, it yields no element but those of
 * Markdown's own syntax, and no address but relative ones and those of schemes http, https, mailto and ftp. Applying it
 * twice is the same as once. Everything else stays as given: `a < b`, code, tables, entities, unknown placeholders.
 *
 * - HTML tags, comments and declarations go; what stands between tags stays, but for script and style.
 * - Active addresses (javascript:, data: and the like) become `#`; links to unknown schemes become plain text.
 * - What only resembles HTML, and HTML in code, stays readable with a space after the `<`.
 *
 * Where code is, is guessed first. If a real parser then finds HTML or a bad address, or the text would change again, the
 * guess was wrong, and the source is cleaned as though it held no code; so is a text that is too much for a parser. Takes
 * time linear in the length of the source, beside at most four readings of a text that is easy to parse.
 */
export function sanitiseMarkdown(source: string): string {
  const strict = clean(source, () => [])
  if (strict === source || !isEasyToParse(source)) return strict
  const careful = clean(source, codeRegions)
  if (careful === strict) return strict
  const settled = clean(careful, codeRegions) === careful
  return settled && isInert(careful) ? careful : strict
}

const steps = [removeTags, defuseTags, neutraliseTargets]

function clean(source: string, findCode: typeof codeRegions): string {
  let text = source
  let code: ReturnType<typeof codeRegions> | undefined
  for (const step of steps) {
    code ??= findCode(text)
    const next = step(text, code)
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
  return neutraliseTargets(defuseTags(tidy(removeTags(source, [])), [], ' '), [], 'tight')
}

function isInert(text: string): boolean {
  if (!isEasyToParse(text)) return false
  const relevant = readings().filter(({ signs }) => signs.every((sign) => text.includes(sign)))
  return relevant.every(({ parser }) => parser.parse(text, {}).every(isInertToken))
}

function isInertToken(token: Token): boolean {
  if (token.type === 'html_block' || token.type === 'html_inline') return false
  const address = token.attrGet('href') ?? token.attrGet('src')
  if (address !== null && !['listed', 'none'].includes(schemeClass(String(address)))) return false
  return token.children?.every(isInertToken) ?? true
}
