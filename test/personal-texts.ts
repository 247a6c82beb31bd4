import type { TSchema } from 'typebox'
import { type Inner, marksOf } from '../src/core/packages/marks.ts'
import { kinds } from '../src/features/packages/packages/store/kinds.ts'
import { rowsIn } from './packages.ts'

/** Looks for what a package tells of people in a package without names. (P8) */

type Texts = ReadonlyMap<string, string>

/** Shorter texts are within others by chance. */
const least = 3

/** The texts of a full package that its schemas mark as personal. */
export function personalTexts(whole: Texts): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { name, schema } of kinds) {
    for (const row of rowsIn(whole, name)) {
      for (const text of personalIn(schema('full') as TSchema, row, false)) if (text.length >= least) found.add(text)
    }
  }
  return found
}

function* personalIn(schema: TSchema, value: unknown, isMarked: boolean): Iterable<string> {
  const { anyOf, items, properties, patternProperties } = schema as Inner
  const marked = isMarked || marksOf(schema)['x-personal'] !== undefined
  if (anyOf !== undefined) for (const each of anyOf) yield* personalIn(each, value, marked)
  if (typeof value === 'string' && marked) yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    const own = items ?? properties?.[name] ?? Object.values(patternProperties ?? {})[0]
    yield* personalIn(own ?? {}, each, marked)
  }
}

/** A GUID is one word: parts of GUIDs are the same by chance. */
const word = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\p{L}\p{N}]{3,}/gu
const wordsOf = (text: string) => text.toLowerCase().match(word) ?? []

/**
 * The texts, and words of them, that are in the data or the manifest of a package without names. Words of the schemas are
 * left out.
 */
export function remaindersOf(originals: ReadonlySet<string>, nameless: Texts): string[] {
  const own = new Set([...nameless].flatMap(([path, text]) => (path.startsWith('schemas/') ? wordsOf(text) : [])))
  return [...nameless].flatMap(([path, text]) => {
    if (!path.startsWith('data/') && path !== 'manifest.json') return []
    const here = new Set(wordsOf(text))
    return [...originals].flatMap((original) => {
      const parts = wordsOf(original).filter((part) => !own.has(part))
      if (parts.length === 0) return []
      const words = parts.filter((part) => here.has(part)).map((part) => `${path}: ${part} of ${original}`)
      return hasWhole(text, original) ? [`${path}: ${original}`, ...words] : words
    })
  })
}

/** Whether the text has the value as a whole, and not within a word. */
function hasWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const around = `${text.charAt(at - 1)}${text.charAt(at + value.length)}`
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}
