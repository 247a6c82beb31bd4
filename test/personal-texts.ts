import type { TSchema } from 'typebox'
import { type Inner, marksOf } from '../src/core/packages/marks.ts'
import { kinds } from '../src/features/packages/packages/store/kinds.ts'
import { rowsIn } from './packages.ts'

/** Looks for what a package tells of people in a package without names. (P8) */

type Texts = ReadonlyMap<string, string>

/** Shorter texts are within others by chance. */
const least = 3

/** A time in what has no schema of its own. */
const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/**
 * The texts of a full package that its schemas mark as personal. The audit, which packages without names do not have, is
 * what members were before and after, without a schema: times in it, and values that their own kinds call impersonal (names
 * of icons, colours, published maps), are not looked for.
 */
export function personalTexts(whole: Texts): ReadonlySet<string> {
  const [found, inOpen] = [new Set<string>(), new Set<string>()]
  for (const { name, schema } of kinds) {
    for (const row of rowsIn(whole, name)) {
      for (const [text, isOpen] of personalIn(schema('full') as TSchema, row, false)) {
        if (text.length >= least) (isOpen ? inOpen : found).add(text)
      }
    }
  }
  const known = impersonalTexts(whole)
  for (const text of inOpen) if (!known.has(text) && !instant.test(text)) found.add(text)
  return found
}

/** The texts of a package that tell nothing of people: published works, names of icons, colours, words of the service. */
export function impersonalTexts(whole: Texts): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (schema: TSchema, value: unknown): void => {
    const { anyOf, items, properties, patternProperties, enum: words } = schema as Inner
    const isSaid = marksOf(schema)['x-impersonal'] !== undefined || words !== undefined
    if (typeof value === 'string' && isSaid) found.add(value)
    if (anyOf !== undefined) for (const each of anyOf) look(each, value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, each] of Object.entries(value)) {
      const own = items ?? properties?.[name] ?? Object.values(patternProperties ?? {})[0]
      // What is said of a list holds for what is in it.
      if (own !== undefined) look(isSaid && items ? { ...own, 'x-impersonal': 'word' } : own, each)
    }
  }
  for (const { name, schema } of kinds) for (const row of rowsIn(whole, name)) look(schema('full') as TSchema, row)
  return found
}

function* personalIn(schema: TSchema, value: unknown, isMarked: boolean): Iterable<readonly [string, boolean]> {
  const { anyOf, items, properties, patternProperties, type } = schema as Inner
  const marked = isMarked || marksOf(schema)['x-personal'] !== undefined
  if (anyOf !== undefined) for (const each of anyOf) yield* personalIn(each, value, marked)
  if (typeof value === 'string' && marked) yield [value, type === undefined && anyOf === undefined]
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    const own = items ?? properties?.[name] ?? Object.values(patternProperties ?? {})[0]
    yield* personalIn(own ?? {}, each, marked)
  }
}

/** A GUID is one word: parts of GUIDs are the same by chance. So are short numbers. */
const word = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\p{L}\p{N}]{3,}/gu
const wordsOf = (text: string) => (text.toLowerCase().match(word) ?? []).filter((each) => !/^\d{1,4}$/.test(each))

/**
 * The texts, and words of them, that are in the data or the manifest of a package without names. Left out are words of the
 * schemas, and those of what is said to tell nothing of people, such as the names of published maps, which stay.
 * @param impersonal such texts of the full package
 */
export function remaindersOf(originals: ReadonlySet<string>, nameless: Texts, impersonal: Iterable<string>): string[] {
  const ofSchemas = [...nameless].flatMap(([path, text]) => (path.startsWith('schemas/') ? wordsOf(text) : []))
  const own = new Set([...ofSchemas, ...[...impersonal].flatMap(wordsOf)])
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
