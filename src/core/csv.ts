import { stringify } from 'csv-stringify/sync'
import { Type } from 'typebox'

/** Comma-separated values (RFC 4180), which spreadsheets open, too. */

export type Cell = string | number | null

/** Without it spreadsheets take UTF-8 for the local 8-bit encoding. */
export const byteOrderMark = '\uFEFF'

/** Of every operation that answers with a table. */
export const SpreadsheetQuery = {
  for: Type.Optional(
    Type.Literal('spreadsheet', {
      description:
        'For people who open the file in a spreadsheet: it begins with a byte order mark, and identifiers of more than 15 digits carry an apostrophe, since a spreadsheet would round them.',
    }),
  ),
}

export const spreadsheetNote =
  'UTF-8. Text that a spreadsheet would run as a formula has an apostrophe before it, whichever of comma, semicolon and tab parts the cells; line breaks within a cell are ` / `.'

/** What the caller wants the table for. */
export type For = 'spreadsheet' | undefined

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Characters that begin a formula: also in full width, and in the other forms that Unicode normalisation maps to the first four. */
const { source: sign } =
  /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B\u2212\u207A\u207B\u207C\u208A\u208B\u208C]/u

/**
 * Where a cell could begin, be it that commas, semicolons or tabs part cells, and what follows there is taken for a formula: also
 * behind white space, and behind quotation marks, which such a reader may drop. Behind a separator the white space ends at a tab, where
 * the next cell could begin: a run of tabs is read once, not once from each of them. A tab at the beginning is taken for one, too.
 */
const formula = new RegExp(`^(?=\\t|[\\s\\p{Cf}"]*${sign})|(?<=[,;\\t])(?=(?:(?!\\t)[\\s\\p{Cf}"])*${sign})`, 'gu')

/** Spreadsheets keep no more digits of a number. */
const longNumber = /^\d{16,}$/

/**
 * A whole file: header, and rows that end in CRLF. No cell begins a formula, whichever separator the reader takes; line breaks become
 * ` / `. (D65) Numbers stay numbers, null is an empty cell.
 * @param options.hasMark whether it begins with a byte order mark, even if no spreadsheet was asked for
 */
export function toCsv(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: { readonly for?: For; readonly hasMark?: boolean } = {},
): string {
  const isForSpreadsheet = options.for === 'spreadsheet'
  const lines = stringify(
    [header, ...rows].map((cells) => cells.map((cell) => neutralise(cell, isForSpreadsheet))),
    // The library quotes commas alone; readers that take a semicolon or a tab for the separator read the others.
    { record_delimiter: 'windows', quoted_match: /[;\t]/ },
  )
  return (isForSpreadsheet || options.hasMark === true ? byteOrderMark : '') + lines
}

function neutralise(cell: Cell, isForSpreadsheet: boolean): Cell {
  if (typeof cell !== 'string') return cell
  const text = cell.replace(lineBreak, ' / ').replace(formula, "'")
  return isForSpreadsheet && longNumber.test(text) ? `'${text}` : text
}
