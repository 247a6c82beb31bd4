import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, sourceFiles } from './sources.ts'

/** The rule book in `docs/rules`, and the citations of it in comments and tests. */

const bookFolder = 'docs/rules'

/** The file for each prefix of marks. */
const areasOfMarks: Readonly<Record<string, string>> = {
  D: 'common',
  RT: 'realtime',
  M: 'media-and-streaming',
  S: 'media-and-streaming',
  AS: 'assistant',
  OV: 'overlays',
  A: 'awards',
  B: 'badges',
  G: 'additions',
  P: 'packages',
  R: 'rehearsals',
  V: 'spoilers',
}
/** Other names that comments use for an area. */
const otherNames: Readonly<Record<string, string>> = { media: 'media-and-streaming', streaming: 'media-and-streaming' }

/** The text of each entry, by its heading. */
type Entries = ReadonlyMap<string, string>

export interface RuleBook {
  readonly areas: ReadonlyMap<string, Entries>
}

export function readBook(): RuleBook {
  const files = readdirSync(path.join(root, bookFolder)).filter((file) => file.endsWith('.md') && file !== 'README.md')
  const entriesOf = (file: string): Entries => {
    const [, ...sections] = `\n${readFileSync(path.join(root, bookFolder, file), 'utf8')}`.split(/\n## /)
    return new Map(
      sections.map((section) => {
        const [heading = '', ...lines] = section.split('\n')
        return [heading.trim(), lines.join('\n').trim()]
      }),
    )
  }
  return { areas: new Map(files.map((file) => [file.replace(/\.md$/, ''), entriesOf(file)])) }
}

/**
 * A mark, such as `D7`, or a place, such as `Records` or `Archive, rule 3`; `place` is null where a whole area is
 * cited.
 */
export interface Reference {
  readonly area: string
  readonly place: string | null
  readonly file: string
}

/** The citations in parentheses, in comments and titles of tests. */
export function readReferences(book: RuleBook): readonly Reference[] {
  return sourceFiles().flatMap((file) => referencesIn(readFileSync(path.join(root, file), 'utf8'), book, file))
}

const commentsAndTitles = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|"[^"\n]*"|`[^`\n]*`/g

export function referencesIn(source: string, book: RuleBook, file: string): readonly Reference[] {
  return Array.from(source.matchAll(commentsAndTitles))
    .flatMap(([text]) => Array.from(text.replace(/\n\s*\*?\s?/g, ' ').matchAll(/\(([^()]*)\)/g)))
    .flatMap(([, inner = '']) =>
      referencesOfAll(
        inner.split(';').map((part) => part.trim()),
        book,
      ),
    )
    .map((reference) => ({ ...reference, file }))
}

/** A part without an area belongs to the area of the part before it, if that has an entry of this name. */
function referencesOfAll(parts: readonly string[], book: RuleBook): Omit<Reference, 'file'>[] {
  let area: string | undefined
  return parts.flatMap((part) => {
    const found = referencesOf(part, book)
    if (found.length > 0) {
      area = found[0]?.area
      return found
    }
    const further = area === undefined ? null : { area, place: part }
    return further !== null && entryFor(book, { ...further, file: '' }) !== undefined ? [further] : []
  })
}

const mark = /\b(AS|OV|RT|A|B|D|G|M|P|R|S|V)(\d{1,3})\b/g

function referencesOf(part: string, book: RuleBook): Omit<Reference, 'file'>[] {
  const names = [...book.areas.keys(), ...Object.keys(otherNames)].toSorted((a, b) => b.length - a.length)
  const place = new RegExp(`^(${names.join('|')})(?:$|: (.+)$| ((?:[A-Z]\\b|\\d).*)$)`).exec(part)
  if (place !== null) {
    const [, name = '', words, number] = place
    return [{ area: otherNames[name] ?? name, place: words ?? number ?? null }]
  }
  if (!/^(?:AS|OV|RT|A|B|D|G|M|P|R|S|V)\d{1,3}\b/.test(part)) return []
  const ranges = Array.from(part.matchAll(/\b([A-Z]{1,2})(\d+) to \1(\d+)\b/g)).flatMap(
    ([, letters = '', first, last]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_none, index) => `${letters}${Number(first) + index}`),
  )
  const single = Array.from(part.matchAll(mark), ([whole]) => whole)
  return [...new Set([...single, ...ranges])].map((each) => ({
    area: areasOfMarks[/^[A-Z]+/.exec(each)?.[0] ?? ''] ?? '',
    place: each,
  }))
}

/** The entry that a reference leads to; undefined for a missing entry or a missing point of it. */
export function entryFor({ areas }: RuleBook, { area, place }: Reference): string | undefined {
  const entries = areas.get(area)
  if (entries === undefined) return undefined
  if (place === null || entries.has(place)) return place ?? ''
  const heading = [...entries.keys()]
    .filter((each) => place.startsWith(`${each},`) || place.startsWith(`${each} `) || place.startsWith(`${each}:`))
    .toSorted((a, b) => b.length - a.length)[0]
  if (heading === undefined) return undefined
  const text = entries.get(heading) ?? ''
  const points = place
    .slice(heading.length)
    .split(/[,:] |^ | and /)
    .map((point) => point.trim())
  return points.filter((point) => point !== '').every((point) => hasPoint(text, point)) ? heading : undefined
}

function hasPoint(text: string, point: string): boolean {
  const [, first, last = first] = /^(?:rules? |points? )?(\d+)(?: to (\d+))?$/.exec(point) ?? []
  if (first !== undefined) return [first, last].every((number) => new RegExp(`^${number}\\. `, 'm').test(text))
  return text.toLowerCase().includes(point.toLowerCase())
}
