import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../../test/problems.ts'
import type { Card } from '../types.ts'
import { differencesOf, publicationText, readContent } from './content.ts'

const read = (parts: { title?: string; content?: string; changes?: readonly Card[] }) =>
  readContent({ title: '', content: 'Text.', changes: [], ...parts })

describe('what is written', () => {
  test('is kept without what is unsafe', () => {
    expect(read({ content: 'a < b, <b>bold</b> <script>alert(1)</script>[x](javascript:alert(1))' }).content).toBe(
      'a < b, bold [x](#)',
    )
  })

  test('has its title on one line', () => {
    expect(read({ title: 'Finals\n\tmoved' }).title).toBe('Finals moved')
  })

  test.each(['<script>alert(1)</script>', '<!-- nothing -->', '<br>'])('must say something: %s', (content) => {
    expect(codeOf(() => read({ content }))).toBe('update.content_empty')
  })
})

describe('cards', () => {
  test('may have any form, and keep it', () => {
    const changes = [{ z: 1, a: { b: [true, null, 'x'] } }, {}]
    expect(JSON.stringify(read({ changes }).changes)).toBe(JSON.stringify(changes))
  })

  test('have their texts without what is unsafe, at any depth', () => {
    const changes = [{ before: '<img src=x onerror=alert(1)>a', after: [{ x: '[y](javascript:z)' }] }]
    expect(read({ changes }).changes).toEqual([{ before: 'a', after: [{ x: '[y](#)' }] }])
  })

  const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) })

  test.each<[string, Card[], string | null]>([
    ['six levels', [deep(6) as Card], null],
    ['seven levels', [deep(7) as Card], 'update.changes_invalid'],
    ['seven levels of lists', [{ a: [[[[[[1]]]]]] }], 'update.changes_invalid'],
    ['names of 100 characters', [{ ['n'.repeat(100)]: 1 }], null],
    ['names of 101 characters', [{ ['n'.repeat(101)]: 1 }], 'update.changes_invalid'],
    ['names of 100 characters of two units each', [{ ['𝔫'.repeat(100)]: 1 }], null],
    ['names of 101 such characters', [{ ['𝔫'.repeat(101)]: 1 }], 'update.changes_invalid'],
    ['names with tags', [{ '<b>': 1 }], 'update.changes_invalid'],
    ['24,000 characters', [{ a: 'x'.repeat(23_990) }], null],
    ['24,000 characters of two units each', [{ a: '𝔫'.repeat(23_990) }], null],
    ['what grows no further', [{ a: '](foo:x) '.repeat(2_100) }], null],
    ['what grows beyond that', [{ a: '](foo:x) '.repeat(2_500) }], 'update.changes_invalid'],
    ['500 texts', [{ a: Array(300).fill('x') }, { a: Array(200).fill('<b>x</b>') }], null],
    ['501 texts', [{ a: Array(300).fill('x') }, { a: { b: Array(201).fill('x') } }], 'update.changes_invalid'],
    ['more than 500 of what is no text', [{ a: Array(1_000).fill(1) }], null],
    ['plain texts of many lines', [{ a: Array(90).fill('Line\n'.repeat(40).trim()) }], null],
    ['markup in many texts', [{ a: Array(40).fill('- `<b>`\n'.repeat(25)) }], 'update.changes_invalid'],
    ['more', [{ a: 'x'.repeat(12_000) }, { a: 'x'.repeat(12_000) }], 'update.changes_invalid'],
  ])('are bounded: %s', (_what, changes, code) => {
    expect(codeOf(() => read({ changes }))).toBe(code)
  })

  test('can be sent as they were read', () => {
    const once = read({ changes: [{ a: '<a '.repeat(5_990), b: [' <i>x</i> ', 'e<b></b>\u0301'] }] }).changes
    expect(once).toMatchObject([{ b: ['x', 'é'] }])
    expect(read({ changes: once }).changes).toEqual(once)
  })

  // Patterns for one text. Alone, each text is cleaned within the time limit of a single text.
  const hostile = [
    '<a ',
    '- `<b>`\n',
    '`<b>`',
    '    <b>\n',
    '~~~\n<b>\n',
    '[a`<b>`](x:y)',
    '`<a ` http://a.b | ',
    '<!--',
  ]
  const lengths = [3, 8, 45, 250, 1_500, 6_000, 23_000]

  /** The largest accepted number of such texts. */
  function most(text: string): Card[] {
    for (let count = Math.floor(24_000 / text.length); count > 0; count = Math.floor(count * 0.8)) {
      const changes = [{ a: Array<string>(count).fill(text) }]
      if (codeOf(() => read({ changes })) === null) return changes
    }
    return []
  }

  test.each(hostile)('are cleaned within 40 ms, full of %j', { retry: 3 }, (unit) => {
    for (const length of lengths) {
      const changes = most(unit.repeat(Math.ceil(length / unit.length)).trim())
      const times = [1, 2, 3].map(() => {
        const start = process.cpuUsage()
        read({ changes })
        const { user, system } = process.cpuUsage(start)
        return (user + system) / 1_000
      })
      // An idle machine needs less than half of this time. Without a limit on all texts together it needed up to 80 ms.
      expect(Math.min(...times), `${length}`).toBeLessThan(40)
    }
  })

  test('that do not fit are named', () => {
    expect(problemOf(() => read({ changes: [{}, { '<b>': 1 }] }))?.message).toContain('"changes[1]"')
  })
})

describe('two publications are the same', () => {
  const first = { title: 'T', content: 'C', changes: [{ a: 1, b: { c: 2, d: [3] } }] }
  const text = publicationText(first, true)

  test('in whatever order the members of their cards come', () => {
    expect(publicationText({ ...first, changes: [{ b: { d: [3], c: 2 }, a: 1 }] }, true)).toBe(text)
  })

  test.each([
    ['title', { ...first, title: 'U' }, true],
    ['content', { ...first, content: 'D' }, true],
    ['cards', { ...first, changes: [{ a: 1, b: { c: 2, d: ['3'] } }] }, true],
    ['order of cards', { ...first, changes: [...first.changes, {}].toReversed() }, true],
    ['form of cards', { ...first, changes: [{ a: 1, b: [['c', 2]] }] }, true],
    ['way to the chat', first, false],
  ])('only with the same %s', (_what, content, sendToChat) => {
    expect(publicationText(content, sendToChat)).not.toBe(text)
  })
})

test('an edit is told by what it changed', () => {
  const before = { title: 'T', content: 'C', changes: [{ a: 1 }] }
  expect(differencesOf(before, { ...before, content: 'D' })).toEqual({
    before: { content: 'C' },
    after: { content: 'D' },
  })
  expect(differencesOf(before, { ...before, changes: [{ a: 1 }] })).toEqual({ before: {}, after: {} })
})
