import { type BodyLimits, normaliseBody } from '../../core/json.ts'
import { maxRemembered } from '../../core/markdown-safety.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { safeForms } from '../../core/text.ts'

/** Parses bytes to JSON with cleaned strings. (D9) */

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws Problem `request.malformed` */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('request.malformed', 'The body is not valid UTF-8.')
  }
}

/** @throws Problem `request.malformed`, `request.invalid` */
export function readJson(bytes: Uint8Array, limits: BodyLimits | undefined): unknown {
  return cleanBody(parse(decodeBody(bytes)), limits)
}

/** @throws Problem `request.invalid` */
export function cleanBody(parsed: unknown, limits: BodyLimits | undefined): unknown {
  const normal = normaliseBody(parsed, limits)
  if (!normal.ok) throw invalid('request.invalid', `The body's member "${normal.path}" ${normal.reason}.`)
  return normal.value
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid('request.malformed', 'The body is empty; send a JSON object.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid('request.malformed', `The body is not valid JSON${position(error)}.`)
  }
}

/** The position where parsing stopped, without quoting the body. */
function position(error: unknown): string {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')
  return at === null ? '' : ` at character ${at[1]}`
}

/** The input of the thread. */
export interface GivenBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly limits: BodyLimits | undefined
}

/** The thread's result. */
export type ThreadedBody =
  | {
      /** The cleaned body, serialised again: parsing this text costs the event loop least. */
      readonly json: string
      /** Strings that may be Markdown, with their safe forms. */
      readonly safe: readonly (readonly [source: string, safe: string])[]
    }
  | { readonly code: string; readonly message: string }

export function readInThread({ bytes, limits }: GivenBody): ThreadedBody {
  try {
    const value = readJson(bytes, limits)
    return { json: JSON.stringify(value), safe: dearestTexts(value).flatMap(safeForms) }
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
}

/** In UTF-16 units: shorter strings are cleaned quickly, and longer ones exceed the limit of any Markdown member. */
const dear = { least: 200, most: 40_000 }

/** The longest strings, at most as many as are cached; the event loop cleans the shorter ones itself. */
function dearestTexts(value: unknown): string[] {
  return longTexts(value)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxRemembered)
}

function longTexts(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(longTexts)
  if (typeof value !== 'string' || value.length < dear.least || value.length > dear.most) return []
  return /[<\]]/.test(value) ? [value] : []
}
