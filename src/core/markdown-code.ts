/**
 * Where a Markdown text shows code. Only a guess at what CommonMark says, made in linear time: its sole use is to spare
 * code the removal of what looks like markup, and whoever spares anything must check the result. (D36)
 */

/** A stretch of a text, from offset `start` up to but not including `end`, in UTF-16 units. */
export interface Region {
  readonly start: number
  readonly end: number
}

interface Line extends Region {
  readonly text: string
}

/** What the lines read so far say about the next one. */
interface Blocks {
  readonly regions: Region[]
  fence: { readonly start: number; readonly mark: string } | null
  /** Where the prose that is being read began, or -1. */
  prose: number
  afterBlank: boolean
  inList: boolean
}

const fenceOpening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/
const fenceClosing = /^[ \t>]*(`{3,}|~{3,})\s*$/
const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const heading = /^ {0,3}#{1,6}[ \t]/
const indented = /^(?: {4}| {0,3}\t)/
const blank = /^\s*$/

/** Fenced blocks, indented blocks and code spans, in order and without overlap. */
export function codeRegions(text: string): Region[] {
  const blocks: Blocks = { regions: [], fence: null, prose: -1, afterBlank: true, inList: false }
  for (const line of linesOf(text)) {
    if (blocks.fence !== null) readFenced(blocks.fence, blocks, line)
    else if (blank.test(line.text)) readBlank(text, blocks, line)
    else readContent(text, blocks, line)
  }
  endProse(text, blocks, text.length)
  if (blocks.fence !== null) blocks.regions.push({ start: blocks.fence.start, end: text.length })
  return blocks.regions
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield { start, end, text: text.slice(start, end) }
    start = end + 1
  }
}

function readFenced(fence: { start: number; mark: string }, blocks: Blocks, line: Line): void {
  const mark = fenceClosing.exec(line.text)?.[1]
  if (mark === undefined || mark[0] !== fence.mark[0] || mark.length < fence.mark.length) return
  blocks.regions.push({ start: fence.start, end: line.end })
  blocks.fence = null
}

function readBlank(text: string, blocks: Blocks, line: Line): void {
  endProse(text, blocks, line.start)
  blocks.afterBlank = true
}

function readContent(text: string, blocks: Blocks, line: Line): void {
  const mark = fenceOpening.exec(line.text)?.[1]
  if (mark !== undefined) {
    endProse(text, blocks, line.start)
    blocks.fence = { start: line.start, mark }
  } else if (blocks.afterBlank && !blocks.inList && indented.test(line.text)) {
    blocks.regions.push({ start: line.start, end: line.end })
  } else {
    const isItem = listItem.test(line.text)
    if (isItem || heading.test(line.text)) endProse(text, blocks, line.start)
    // Indentation below a list item belongs to the item until a line stands at the margin again.
    blocks.inList = isItem || (blocks.inList && !(blocks.afterBlank && /^\S/.test(line.text)))
    if (blocks.prose === -1) blocks.prose = line.start
    blocks.afterBlank = false
  }
}

function endProse(text: string, blocks: Blocks, end: number): void {
  if (blocks.prose !== -1) addCodeSpans(text, { start: blocks.prose, end }, blocks.regions)
  blocks.prose = -1
}

/** A run of n backticks opens a span that the next run of exactly n closes; a backslash takes one off an opening run. */
function addCodeSpans(text: string, prose: Region, regions: Region[]): void {
  const runs = backtickRuns(text, prose)
  const closers = Map.groupBy(runs.toReversed(), (run) => run.end - run.start)
  let open = prose.start
  for (const run of runs) {
    if (run.start < open) continue
    const start = run.start + (isEscaped(text, run.start) ? 1 : 0)
    const candidates = closers.get(run.end - start) ?? []
    // The lists are used up from their near end, so that all the searches together look at each run once.
    while ((candidates.at(-1)?.start ?? prose.end) < run.end) candidates.pop()
    const closer = candidates.at(-1)
    if (closer === undefined) continue
    regions.push({ start, end: closer.end })
    open = closer.end
  }
}

function backtickRuns(text: string, { start, end }: Region): Region[] {
  return Array.from(text.slice(start, end).matchAll(/`+/g), (run) => ({
    start: start + run.index,
    end: start + run.index + run[0].length,
  }))
}

/** Whether an odd number of backslashes stands before the character at `at`. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

/** Answers whether an offset lies in code, for offsets asked in rising order. */
export function codeLookup(regions: readonly Region[]): (offset: number) => boolean {
  let index = 0
  return (offset) => {
    while ((regions[index]?.end ?? offset + 1) <= offset) index++
    return (regions[index]?.start ?? offset + 1) <= offset
  }
}
