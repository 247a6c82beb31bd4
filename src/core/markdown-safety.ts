import MarkdownIt, { type Token } from 'markdown-it'
import { codeRegions } from './markdown-code.ts'
import { defuseTags, removeTags } from './markdown-tags.ts'
import { neutraliseTargets, schemeClass } from './markdown-targets.ts'

/**
 * Renderers with no scruples of their own: HTML passes, and any address makes a link. There is one for each extension
 * that changes where code begins, since a table cell ends a code span, and a bare address swallows a backtick.
 */
const naive = [
  new MarkdownIt({ html: true, linkify: true }),
  new MarkdownIt({ html: true }),
  new MarkdownIt('commonmark', { linkify: true }).enable('linkify'),
  new MarkdownIt('commonmark'),
]
for (const renderer of naive) renderer.validateLink = () => true

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
 * guess was wrong, and the source is cleaned as though it held no code. Takes time linear in the length of the source.
 */
export function sanitiseMarkdown(source: string): string {
  const strict = clean(source, () => [])
  const careful = clean(source, codeRegions)
  if (careful === strict) return strict
  const settled = clean(careful, codeRegions) === careful
  return settled && isInert(careful) ? careful : strict
}

function clean(text: string, findCode: typeof codeRegions): string {
  const removed = removeTags(text, findCode(text))
  const defused = defuseTags(removed, findCode(removed))
  return neutraliseTargets(defused, findCode(defused))
}

function isInert(text: string): boolean {
  return naive.every((renderer) => renderer.parse(text, {}).every(isInertToken))
}

function isInertToken(token: Token): boolean {
  if (token.type === 'html_block' || token.type === 'html_inline') return false
  const address = token.attrGet('href') ?? token.attrGet('src')
  if (address !== null && !['listed', 'none'].includes(schemeClass(String(address)))) return false
  return token.children?.every(isInertToken) ?? true
}
