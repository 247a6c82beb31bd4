import type { Parser } from './markdown-parser.ts'

/**
 * The chat platform's own forms in Markdown, such as `<t:1798761600:F>`, which its clients render for each reader.
 * (D61)
 */

/** A time, a user, a role, a channel, a picture, a command, a guide. */
export const chatForm = /<(?:t:-?\d{1,13}(?::[a-z])?|@[!&]?\d+|#\d+|a?:\w+:\d+|\/[^<>:\n]{1,200}:\d+|id:\w+)>/giu

const time = /<t:(-?\d{1,13})(?::[tdfr])?>/iy
/** An address in angle brackets as CommonMark reads it, limited to the schemes that we link. */
const address = /<(?:(?:https?|ftp):\/\/|mailto:|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@)/iy

type InlineRule = Parameters<Parser['inline']['ruler']['before']>[2]

function matchesAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}

/** Reads angle brackets as a link only around an address that we link, so that all other text in them stays text. */
export function linkAddressesAlone(parser: Parser): void {
  const { ruler } = parser.inline
  const [original] = ruler.getRules('').filter((rule) => rule.name === 'autolink')
  if (original === undefined) throw new Error('the parser has no rule for autolinks')
  ruler.at('autolink', (state, silent) => matchesAt(address, state.src, state.pos) !== null && original(state, silent))
}

/** Renders a time of the chat platform as an element that gives the instant. */
export function showTimes(parser: Parser): void {
  const rule: InlineRule = (state, silent) => {
    const found = matchesAt(time, state.src, state.pos)
    const instant = new Date(Number(found?.[1]) * 1_000)
    if (found === null || Number.isNaN(instant.getTime())) return false
    if (!silent) {
      const token = state.push('chat_time', 'time', 0)
      token.attrSet('datetime', instant.toISOString())
      token.content = `${instant.toISOString().slice(0, -8).replace('T', ' ')} UTC`
    }
    state.pos += found[0].length
    return true
  }
  parser.inline.ruler.before('autolink', 'chat_time', rule)
  parser.renderer.rules.chat_time = (tokens, index, options, _env, renderer) => {
    const token = tokens[index]
    return `${renderer.renderToken(tokens, index, options)}${parser.utils.escapeHtml(token?.content ?? '')}</time>`
  }
}
