import { stringify } from 'csv-stringify/sync'
import { Type } from 'typebox'

/** Comma-separated values (RFC 4180), which spreadsheets also open. */

export type Cell = string | number | null

/** Without it, spreadsheets read UTF-8 as the local 8-bit encoding. */
export const byteOrderMark = '\uFEFF'

/** The query of every operation that returns a table. */
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

/** The use that the caller has for the table. */
export type For = 'spreadsheet' | undefined

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/**
 * Characters that begin a formula, including full-width and other forms that Unicode normalisation maps to the first
 * four.
 */
const { source: sign } =
  /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B\u2212\u207A\u207B\u207C\u208A\u208B\u208C]/u

/**
 * Matches the beginning of a cell, for commas, semicolons and tabs as separators, where a spreadsheet would read a
 * formula: also after white space, and after quotation marks, which such a reader may drop. After a separator the white
 * space ends at a tab, where the next cell could begin: this way a run of tabs is read once, not once from each of
 * them. A tab at the beginning counts as a formula, too.
 */
const formula = new RegExp(`^(?=\\t|[\\s\\p{Cf}"]*${sign})|(?<=[,;\\t])(?=(?:(?!\\t)[\\s\\p{Cf}"])*${sign})`, 'gu')

/** Spreadsheets keep at most 15 digits of a number. */
const longNumber = /^\d{16,}$/

/**
 * A whole file: a header, and rows that end in CRLF. No cell begins a formula, whichever separator the reader uses;
 * line breaks become ` / `. (D65) Numbers stay numbers; null is an empty cell.
 * @param options.hasMark whether the file begins with a byte order mark even if no spreadsheet was asked for
 */
export function toCsv(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: { readonly for?: For; readonly hasMark?: boolean } = {},
): string {
  const isForSpreadsheet = options.for === 'spreadsheet'
  const lines = stringify(
    [header, ...rows].map((cells) => cells.map((cell) => neutralise(cell, isForSpreadsheet))),
    // The library quotes only commas; readers with a semicolon or a tab as separator need those quoted, too.
    { record_delimiter: 'windows', quoted_match: /[;\t]/ },
  )
  return (isForSpreadsheet || options.hasMark === true ? byteOrderMark : '') + lines
}

function neutralise(cell: Cell, isForSpreadsheet: boolean): Cell {
  if (typeof cell !== 'string') return cell
  const text = cell.replace(lineBreak, ' / ').replace(formula, "'")
  return isForSpreadsheet && longNumber.test(text) ? `'${text}` : text
}
