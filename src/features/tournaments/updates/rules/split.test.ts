import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitText } from './split.ts'

/** Distinct words, so that a lost or moved word is noticed. */
const words = (count: number, length = 8) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length - 1, 'w'))

const lengths = (parts: readonly string[]) => parts.map((part) => part.length)

describe('a text', () => {
  test('that fits is one part, without white space around it', () => {
    expect(splitText('Hello.\n\nWorld.', 2_000)).toEqual(['Hello.\n\nWorld.'])
    expect(splitText('\n  Hello. \n', 2_000)).toEqual(['Hello.'])
    expect(splitText('x'.repeat(2_000), 2_000)).toEqual(['x'.repeat(2_000)])
  })

  test('is cut between paragraphs, rather than at a line that would fill the part', () => {
    const [first, second] = ['a '.repeat(450).trim(), `${'b '.repeat(500).trim()}\n${'c '.repeat(300).trim()}`]
    expect(splitText(`${first}\n\n${second}`, 2_000)).toEqual([first, second])
  })

  test('has as many paragraphs in a part as fit', () => {
    const paragraph = 'p'.repeat(600)
    const text = [paragraph, paragraph, paragraph, paragraph].join('\n \n')
    expect(lengths(splitText(text, 2_000))).toEqual([1_806, 600])
  })

  test.each([
    ['a line, where a paragraph is too long', '\n', 'A line. And no more'],
    ['a sentence, where a line is too long', ' ', 'A sentence (or what "ends" like one.)'],
    ['a sentence, whatever ends it', ' ', 'Really?!'],
    ['a sentence of another script', '', '彼らは日曜日に戦う。'],
    ['a word, where a sentence is too long', ' ', 'word'],
  ])('is cut behind %s', (_what, between, piece) => {
    const text = Array.from({ length: 400 }, () => piece).join(between)
    const parts = splitText(text, 300)
    for (const [index, part] of parts.entries()) {
      expect(part.length).toBeLessThanOrEqual(300)
      if (index < parts.length - 1) expect(part.length).toBeGreaterThan(300 - piece.length - 2)
      expect(part.startsWith(piece) && part.endsWith(piece)).toBe(true)
    }
    expect(parts.join(between)).toBe(text)
  })

  test('without any place for a cut is cut all the same', () => {
    expect(lengths(splitText('x'.repeat(4_500), 2_000))).toEqual([2_000, 2_000, 500])
  })

  test('is never cut inside of what the platform reads as one', () => {
    const form = '<t:1798761600:F>'
    const parts = splitText(`${'a'.repeat(95)}${form}${'b'.repeat(50)}`, 100)
    expect(parts).toEqual(['a'.repeat(95), `${form}${'b'.repeat(50)}`])
  })

  test('is never cut at the white space inside of what the platform reads as one', () => {
    const command = '</tournament register:123456789012345678>'
    const before = 'a '.repeat(35).trim()
    expect(splitText(`${before} ${command} ${'b '.repeat(20).trim()}`, 100)).toEqual([
      before,
      `${command} ${'b '.repeat(20).trim()}`,
    ])
    // The form contains the end of a sentence and a tab.
    const odd = '</a. b\tc:1>'
    expect(splitText(`${'x'.repeat(94)} ${odd} y`, 100)).toEqual(['x'.repeat(94), `${odd} y`])
    const lines = Array.from({ length: 200 }, () => `Use ${command} now.`).join(' ')
    const parts = splitText(lines, 2_000)
    expect(parts.join(' ')).toBe(lines)
    for (const part of parts) expect(part.replaceAll(command, '')).not.toMatch(/[<>:]/)
    // A form at the beginning of a part is cut all the same.
    expect(splitText(`</${'a '.repeat(80)}b:1>`, 100).every((part) => part.length <= 100)).toBe(true)
  })

  test('is never cut inside of a character as readers see it', () => {
    const family = '👩‍👩‍👧‍👦'
    const parts = splitText(family.repeat(100), 100)
    expect(parts.join('')).toBe(family.repeat(100))
    for (const part of parts) expect(part).toBe(family.repeat(part.length / family.length))
    const flags = splitText('🇩🇪'.repeat(100), 101)
    for (const part of flags) expect(part).toBe('🇩🇪'.repeat(part.length / 4))
  })

  test('with a character that is too long by itself keeps its code points whole', () => {
    const crowd = `😀${'\u200d😀'.repeat(2_000)}`
    const parts = splitText(crowd, 200)
    expect(parts.join('')).toBe(crowd)
    for (const part of parts) expect([part.isWellFormed(), part.length <= 200]).toEqual([true, true])
  })

  test('leaves room in its first part for what stands before it', () => {
    const parts = splitText(words(600).join(' '), 2_000, 500)
    expect(parts[0]?.length).toBeLessThanOrEqual(500)
    expect(parts[1]?.length).toBeGreaterThan(1_980)
  })
})

describe('code', () => {
  test('that is cut is closed, and opened again in its language', () => {
    const lines = words(60).map((word) => `  ${word}()`)
    const parts = splitText(`Look:\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n\nThat is all.`, 300)
    expect(parts[0]).toBe('Look:')
    const code = parts.slice(1)
    expect(code.length).toBeGreaterThan(2)
    for (const part of code) expect(part).toMatch(/^```js\n {2}w[^`]*\n```(\n\nThat is all\.)?$/)
    expect(code.flatMap((part) => part.split('\n').filter((line) => line.startsWith('  ')))).toEqual(lines)
    expect(code.at(-1)).toMatch(/That is all\.$/)
  })

  test('is not left without content on either side of a cut', () => {
    const before = 'x'.repeat(290)
    const atOpening = splitText(`${before}\n\`\`\`py\n${'y\n'.repeat(100)}\`\`\``, 300)
    expect(atOpening[0]).toBe(before)
    const atClosing = splitText(`\`\`\`\n${'y'.repeat(288)}\n\n\n\`\`\`\n${'z '.repeat(20)}`, 300)
    expect(atClosing[0]).toBe(`\`\`\`\n${'y'.repeat(288)}\n\`\`\``)
    expect(atClosing[1]).toBe('z '.repeat(20).trim())
  })

  test('within a line counts too', () => {
    const parts = splitText(`See \`\`\`${words(60).join(' ')}\`\`\` there`, 200)
    for (const part of parts) expect(part.split('```').length % 2).toBe(1)
  })

  test('that is nothing but marks is looked at no more often for that', () => {
    const text = '```c\n\n'.repeat(20_000)
    const times = Array.from({ length: 3 }, () => {
      const began = process.cpuUsage().user
      expect(splitText(text, 2_000).length).toBeGreaterThan(10)
      return process.cpuUsage().user - began
    })
    // The process may collect its memory meanwhile, which counts as well.
    expect(Math.min(...times), 'microseconds of processor time').toBeLessThan(500_000)
  })

  test('that never ends is text', () => {
    const text = `a \`\`\` ${words(100).join(' ')}`
    expect(splitText(text, 200).join(' ')).toBe(text)
  })
})

describe('whatever the text', () => {
  const fragment = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...words(40), 'a', 'Now.', 'Why?', '“So!”', '終わり。', '！\uFE0F') },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 60 }).map((count) => words(count).join('')) },
    { weight: 5, arbitrary: fc.constantFrom(' ', ' ', ' ', '\n', '\n\n', '\n \n', '\t') },
    { weight: 1, arbitrary: fc.constantFrom('👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '❤️', 'ก็') },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }) },
  )
  const text = fc.array(fragment, { maxLength: 120 }).map((fragments) => fragments.join(''))
  const code = fc
    .tuple(fc.constantFrom('\n```\n', '\n```js\n', ' ``` '), fc.array(fragment, { maxLength: 60 }))
    .map(([opening, fragments]) => `${opening}${fragments.join('')}\n\`\`\`\n`)
  const withCode = fc
    .array(fc.oneof({ weight: 8, arbitrary: fragment }, code, fc.constant(' ``` ')), { maxLength: 60 })
    .map((fragments) => fragments.join('').trim())
  const limit = fc.integer({ min: 100, max: 400 })
  const seen = (value: string) => value.replace(/\s+/g, '')
  /** Removes the code marks and languages, as splitting adds and removes them. */
  const unmarked = (value: string) => seen(value).replace(/```|js/g, '')

  test('no part is empty or too long, and nothing but white space at the cuts is lost, moved or added', () => {
    fc.assert(
      fc.property(text, limit, fc.integer({ min: 60, max: 100 }), (source, max, first) => {
        fc.pre(!source.includes('```'))
        const parts = splitText(source, max, first)
        for (const [index, part] of parts.entries()) {
          expect(part.length).toBeLessThanOrEqual(index === 0 ? first : max)
          expect(part).not.toBe('')
        }
        let at = 0
        for (const part of parts) {
          const found = source.indexOf(part, at)
          expect(source.slice(at, found).trim()).toBe('')
          at = found + part.length
        }
        expect(source.slice(at).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  test('no cut goes through a character that would fit', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
    fc.assert(
      fc.property(text, limit, (source, max) => {
        fc.pre(!source.includes('```') && source.isWellFormed())
        const segments = [...graphemes.segment(source)]
        fc.pre(segments.every(({ segment }) => segment.length < 20 && !/^\s./su.test(segment)))
        const borders = new Set([...segments.map(({ index }) => index), source.length])
        let at = 0
        for (const part of splitText(source, max)) {
          at = source.indexOf(part, at)
          expect([borders.has(at), borders.has(at + part.length)]).toEqual([true, true])
          at += part.length
        }
      }),
      { numRuns: 500 },
    )
  })

  test('code is whole in every part, and its content neither lost nor moved', () => {
    fc.assert(
      fc.property(withCode, limit, (source, max) => {
        const parts = splitText(source, max)
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(max)
        expect(unmarked(parts.join('\n'))).toBe(unmarked(source))
        const marks = (value: string) => value.split('```').length - 1
        if (marks(source) % 2 === 0) for (const part of parts) expect(marks(part) % 2).toBe(0)
      }),
      { numRuns: 1_000 },
    )
  })
})
