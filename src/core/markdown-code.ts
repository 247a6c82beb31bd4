import { lazily } from './lazily.ts'
import { maxNesting } from './markdown-effort.ts'
import { parserClass } from './markdown-parser.ts'

/**
 * Finds the code in a Markdown text. It is only a guess, because renderers differ: its sole use is to exempt code from
 * the removal of markup, and the caller must check the result. (D36)
 */

/** A stretch of a text, from offset `start` up to but not including `end`, in UTF-16 units. */
export interface Region {
  readonly start: number
  readonly end: number
}

/** A parser that finds only blocks: of code, and of prose with their lines. */
const blocks = lazily(() => {
  const parser = new (parserClass())('commonmark', { html: false, maxNesting })
  parser.core.ruler.enableOnly(['normalize', 'block'])
  return parser
})

/** Fenced blocks, indented blocks and code spans, in order and without overlap. */
export function codeRegions(text: string): Region[] {
  const lines = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length)]
  const regions: Region[] = []
  for (const { type, map } of blocks().parse(text, {})) {
    if (map === null) continue
    const region = { start: lines[map[0]] ?? text.length, end: lines[map[1]] ?? text.length }
    if (type === 'fence' || type === 'code_block') regions.push(region)
    else if (type === 'inline') addCodeSpans(text, region, regions)
  }
  return regions
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
    // The lists are consumed from their near end, so that all searches together look at each run once.
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

/** Whether an odd number of backslashes precedes the character at `at`. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

/** Returns a function that tells whether an offset is in code; offsets must rise from call to call. */
export function codeLookup(regions: readonly Region[]): (offset: number) => boolean {
  let index = 0
  return (offset) => {
    while ((regions[index]?.end ?? offset + 1) <= offset) index++
    return (regions[index]?.start ?? offset + 1) <= offset
  }
}
