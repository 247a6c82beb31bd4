import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameKeyOf, nameKeysOf, readName, readNameOrNone } from './names.ts'

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
    ['with a Cyrillic letter', 'sаme', 'same'],
    ['with small and capital letters of another script', 'Вuԁ', 'BUD'],
    ['with a Cyrillic capital I for an l', 'TaiІ', 'Tail'],
    ['with a Cyrillic capital I for an I', 'ТЕАМ І', 'Team I'],
    ['with a Cyrillic capital I for an I among small letters', 'Іvan', 'Ivan'],
    ['with letters of two other scripts', 'Αlpha', 'Аlpha'],
    ['with a whole word of another script', 'Сор', 'Cop'],
    ['with marks on letters of another script', 'Еlаn café', 'Elan cafе\u0301'],
  ]
  test.each(equal)('%s', (_why, one, other) => {
    expect(areEqual(one, other)).toBe(true)
  })

  const different: [why: string, one: string, other: string][] = [
    ['words', 'Quavers', 'Minims'],
    ['letters of Latin that look alike', 'Team I', 'Team L'],
    ['letters of Latin that look alike as they are written', 'Saber Ieague', 'Saber league'],
    ['numerals', 'Squad IV', 'Squad LV'],
    ['digits and letters', 'Group 1', 'Group L'],
    ['noughts and letters', 'Zer0', 'Zero'],
    ['n and m', 'Modern', 'Modem'],
    ['n and m within words', 'Corner', 'Comer'],
    ['letters and bars', 'Tai|', 'Tail'],
    ['letters of Cyrillic that resemble one letter', 'ҮЛЭ', 'УЛЭ'],
    ['letters of Greek that resemble one letter', 'ΜΥΑ', 'Μγα'],
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

  test('not within one script, whatever two letters', () => {
    const ofOne = [
      'Latin',
      'Cyrillic',
      'Greek',
      'Armenian',
      'Cherokee',
      'Hebrew',
      'Arabic',
      'Georgian',
      'Han',
      'Katakana',
    ]
    const letters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCodePoint(code))
    for (const script of ofOne) {
      const own = letters.filter((letter) => new RegExp(`^[\\p{Script=${script}}&&\\p{L}]$`, 'v').test(letter))
      const keys = (keyOf: (letter: string) => string) => new Set(own.map(keyOf)).size
      const pairs = keys(nameKeyOf)
      expect([script, keys((letter) => nameKeysOf(letter).nameKey)]).toEqual([script, pairs])
      const looks = Map.groupBy(own, (letter) => nameKeysOf(letter).nameLook)
      const mixed = [...looks.values()].filter((same) => new Set(same.map(nameKeyOf)).size > 1)
      expect([script, mixed]).toEqual([script, []])
    }
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

describe('names of one workshop are equal', () => {
  test.each([
    ['in whatever case', 'Straße ΝΙΚΟΣ', 'STRASSE νικος'],
    ['in compatibility forms', 'Ｓｅｔ ①', 'set 1'],
    ['but for what has no width', 'Set\u200B\u200E 1', 'Set 1'],
    ['on one line', 'Set\n1', 'Set 1'],
  ])('%s', (_why, one, other) => {
    expect(nameKeyOf(one)).toBe(nameKeyOf(other))
  })

  test.each([
    ['I', 'L'],
    ['Modern', 'Modem'],
    ['Set 1', 'Set l'],
    ['sаme', 'same'],
    ['ТЕАМ', 'TEAM'],
    ['カ', '力'],
  ])('not %j and %j', (one, other) => {
    expect(nameKeyOf(one)).not.toBe(nameKeyOf(other))
  })
})
