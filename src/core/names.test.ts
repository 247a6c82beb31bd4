import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameKeysOf, readName, readNameOrNone } from './names.ts'

describe('a name', () => {
  const read: [why: string, text: string, name: string][] = [
    ['stands on one line', 'Saber\n\tSquad', 'Saber Squad'],
    ['has no line separators', 'a\u2028b\u2029c', 'a b c'],
    ['has single spaces', ' a \u00A0 b\u3000', 'a b'],
    ['may be of any script', 'मराठी टीम', 'मराठी टीम'],
    ['may be an emoji', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['may be a mark', '?', '?'],
    ['may have invisible characters beside others', 'a\u3164', 'a\u3164'],
  ]
  test.each(read)('%s', (_why, text, name) => {
    expect(readName(text)).toEqual({ ok: true, value: name })
  })

  const invisible: [what: string, text: string][] = [
    ['a Hangul filler', '\u3164'],
    ['a half-width Hangul filler', '\uFFA0'],
    ['Hangul choseong and jungseong fillers', '\u115F\u1160'],
    ['a blank Braille pattern', '\u2800'],
    ['a Mongolian vowel separator', '\u180E'],
    ['tag characters', '\u{E0041}\u{E0042}'],
    ['direction marks', '\u200E\u200F\u061C'],
    ['invisible operators', '\u2062\u2063'],
    ['a variation selector', '\uFE0F'],
    ['a grapheme joiner', '\u034F'],
    ['a null notehead', '\u{1D159}'],
    ['an Egyptian blank', '\u{13441}'],
    ['an object replacement character', '\uFFFC'],
    ['a private-use character', '\uE000'],
    ['an unassigned character', '\u{E0FFF}'],
    ['a mark on nothing', '\u0301'],
    ['all of these with spaces', '\u3164 \u2800 \u115F'],
  ]
  test.each(invisible)('is not %s', (_what, text) => {
    expect(readName(text)).toEqual({ ok: false, reason: 'must have a visible character' })
  })

  test.each(['', ' ', '\n\u3000'])('is not empty: %j', (text) => {
    expect(readName(text)).toEqual({ ok: false, reason: 'must not be empty' })
  })

  test('stays as it is when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = readName(text)
        if (name.ok) expect(readName(name.value)).toEqual(name)
      }),
    )
  })
})

test.each([
  ['2nd\n place ', '2nd place'],
  [' \n ', null],
  ['\u3164', null],
  [null, null],
  [undefined, null],
])('%j where there need be no name is %j', (text, name) => {
  expect(readNameOrNone(text)).toBe(name)
})

const areEqual = (one: string, other: string) => {
  const [a, b] = [nameKeysOf(one), nameKeysOf(other)]
  return a.nameKey === b.nameKey || a.nameLook === b.nameLook
}

describe('names are equal', () => {
  const equal: [why: string, one: string, other: string][] = [
    ['in whatever case', 'The Quavers', 'THE qUAVERS'],
    ['in whatever case of other scripts', 'Вика', 'ВИКА'],
    ['in whatever case of Greek', 'ΝΙΚΟΣ', 'νικος'],
    ['with sharp s', 'Straße', 'STRASSE'],
    ['with capital sharp s', 'STRAẞE', 'strasse'],
    ['in compatibility forms', 'Ｑｕａｖｅｒｓ ①', 'Quavers 1'],
    ['in mathematical letters', '𝕼𝖚𝖆𝖛𝖊𝖗𝖘', 'Quavers'],
    ['with ligatures', 'ﬁre', 'fire'],
    ['composed or not', 'Cafe\u0301', 'Café'],
    ['but for zero-width characters', 'Qua\u200Bv\u200Der\u2060s', 'Quavers'],
    ['but for direction marks', '\u200FQuavers\u061C', 'Quavers'],
    ['but for a trailing filler', 'Quavers\u3164', 'Quavers'],
    ['but for a blank in place of a space', 'The\u2800Quavers', 'The Quavers'],
    ['but for variation selectors', '❤\uFE0F', '❤'],
    ['with small Cyrillic letters', 'ѕаbеr', 'Saber'],
    ['with capital Cyrillic letters', 'ТЕАМ', 'Team'],
    ['with Greek letters', 'Οmicrοn', 'Omicron'],
    ['with a capital I for an l', 'Saber Ieague', 'Saber league'],
    ['with a digit for a letter', 'Zer0 1', 'Zero l'],
    ['with rn for an m', 'Modern', 'Modem'],
    ['with a bar for an l', 'Tai|', 'Tail'],
  ]
  test.each(equal)('%s', (_why, one, other) => {
    expect(areEqual(one, other)).toBe(true)
  })

  const different: [why: string, one: string, other: string][] = [
    ['words', 'Quavers', 'Minims'],
    ['numbers', "Quaver's team 2", "Quaver's team 3"],
    ['numbers of several digits', 'Team 10', 'Team 11'],
    ['accents', 'Café', 'Cafe'],
    ['spaces', 'Saber Squad', 'SaberSquad'],
    ['letters that look alike in neither case', 'Нина', 'Huна2'],
    ['scripts', 'Дом', 'Dom'],
    ['kana', 'さくら', 'サクラ'],
    ['ideographs', '東京', '京東'],
    ['emoji', '🔥', '💧'],
    ['flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['n and a Greek nu', 'Van', 'Nan'],
  ]
  test.each(different)('not with different %s', (_why, one, other) => {
    expect(areEqual(one, other)).toBe(false)
  })

  test('in whatever case, letter by letter', () => {
    const cased = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code)).filter(
      (letter) => letter.isWellFormed() && letter.toLowerCase() !== letter.toUpperCase(),
    )
    expect(cased.length).toBeGreaterThan(2_500)
    const keyOf = (name: string) => nameKeysOf(name).nameKey
    const torn = cased.filter(
      (one) => keyOf(one) !== keyOf(one.toUpperCase()) || keyOf(one) !== keyOf(one.toLowerCase()),
    )
    expect(torn).toEqual([])
  })

  test('whatever they are, when they differ in case or in what has no width', () => {
    const change = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase().toUpperCase(),
      (text: string) => text.normalize('NFKC'),
      (text: string) => `\u200E${text}\u200B`,
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 64 }), change, (name, changed) => {
        expect(nameKeysOf(changed(name)).nameKey).toBe(nameKeysOf(name).nameKey)
      }),
      { numRuns: 5_000 },
    )
  })

  test('keys are short enough for an index, well-formed, and on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('ﷺ', 'm', '𝕼', '\n', ' ', '㋿'), maxLength: 64 }), (name) => {
        for (const key of Object.values(nameKeysOf(name))) {
          expect(key.length).toBeLessThanOrEqual(200)
          expect(key.isWellFormed()).toBe(true)
          expect(key).not.toMatch(/\n/)
        }
      }),
    )
  })
})
