import { expect, test } from 'vitest'
import { entryFor, readBook, readReferences, referencesIn } from './rule-book.ts'

/**
 * Comments cite rules, whose text is in `docs/rules`: each citation has an entry there, and each entry is cited by code
 * or a test.
 */

const book = readBook()
const references = readReferences(book)

test('each mark and each place that is cited is in the rule book', () => {
  const lost = references.filter((reference) => entryFor(book, reference) === undefined)
  expect(lost.map(({ area, place, file }) => `${file}: (${area}: ${place})`)).toEqual([])
  expect(references.length).toBeGreaterThan(2_000)
})

test('each entry of the rule book is cited by code or a test', () => {
  const found = new Set(references.map((reference) => `${reference.area} ${entryFor(book, reference)}`))
  const all = [...book.areas].flatMap(([area, entries]) => [...entries.keys()].map((heading) => `${area} ${heading}`))
  expect(all.filter((entry) => !found.has(entry))).toEqual([])
  expect(all.length).toBeGreaterThan(300)
})

test('an entry says its rule', () => {
  for (const [area, entries] of book.areas) {
    for (const [heading, text] of entries) expect([area, heading, text.length > 20]).toEqual([area, heading, true])
  }
})

test.each([
  ['/** Kept for a day. (RT25, D57) */', ['realtime RT25', 'common D57']],
  ['// (additions: D, rule 8; AS3 to AS5)', ['additions D, rule 8', 'assistant AS3', 'assistant AS5', 'assistant AS4']],
  ["test('all of it (media)', () => run(A4))", ['media-and-streaming null']],
])('%s cites', (source, cited) => {
  expect(referencesIn(source, book, '').map(({ area, place }) => `${area} ${place}`)).toEqual(cited)
})
