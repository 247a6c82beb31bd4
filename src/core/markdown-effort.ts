/**
 * Estimates the work that a text is for a Markdown parser. Parsers read the content of brackets, tables and quotes
 * repeatedly, so a text of 20,000 characters can keep one busy for half a second.
 */

/** The nesting depth at which our parsers stop; the library's own CommonMark preset stops there too. */
export const maxNesting = 20
/** Somewhat more than dense documentation of 20,000 characters needs. */
const maxEffort = 4_500

/** Whether a parser that stops at `maxNesting` needs only some milliseconds for the text. Takes linear time. */
export function isEasyToParse(text: string): boolean {
  return parsingEffort(text) <= maxEffort
}

/**
 * Whether all texts together can be cleaned in the time that a single one may take. Most reach no parser: a text
 * without `<` and `]` is safe, and a text that is too much for a parser is cleaned without one.
 */
export function areEasyToClean(texts: readonly string[]): boolean {
  const parsed = texts.filter((text) => /[<\]]/.test(text) && isEasyToParse(text))
  return isEasyToParse(parsed.join('\n\n'))
}

/**
 * Roughly the microseconds that a parser needs; overestimates rather than underestimates. A mark may open something, a
 * `[` is tried again for every open one before it, a line of a table is filled up to the number of cells of its widest
 * line, and a line is tried as the continuation of each quote that began before it. Infinite where brackets are nested
 * deeper than `maxNesting`.
 */
function parsingEffort(text: string): number {
  return text.split(/\n[ \t\r]*\n/).reduce((sum, block) => sum + effortOfLines(block) + effortOfMarks(block), 0)
}

const leadingMarks = /^[ \t>*+.)\d-]*/
const listItem = /^[ \t>]*(?:[*+-]|\d{1,9}[.)])[ \t]/

function effortOfLines(block: string): number {
  let effort = 0
  let cells = 0
  let quotes = 0
  let depth = 0
  for (const line of block.split('\n')) {
    cells = Math.max(cells, line.split('|').length - 1)
    const depthHere = (leadingMarks.exec(line)?.[0] ?? '').split('>').length - 1
    quotes += Math.max(depthHere - depth, 0)
    depth = depthHere
    effort += 4 + (listItem.test(line) ? 3 : 0) + 2 * cells + quotes / 5
  }
  return effort
}

/** In addition to the cost of every mark: an autolink becomes three tokens, and many patterns search for addresses. */
const costs: Readonly<Record<string, number>> = { '<': 3, '://': 8 }

function effortOfMarks(block: string): number {
  let effort = 0
  let depth = 0
  for (const [mark] of block.matchAll(/[[\]<`*_~&\\!]|:\/\//g)) {
    effort += costs[mark] ?? 1
    if (mark === ']') depth = Math.max(depth - 1, 0)
    if (mark !== '[') continue
    depth += 1
    effort += depth
    if (depth > maxNesting) return Number.POSITIVE_INFINITY
  }
  return effort
}
