import { stringify } from 'csv-stringify/sync'

/** Comma-separated values (RFC 4180) for spreadsheets. */

export type Cell = string | number | null

/** Without it spreadsheets take UTF-8 for the local 8-bit encoding. */
const byteOrderMark = '\uFEFF'

/**
 * What a spreadsheet takes for the beginning of a formula, be it after white space, in full width or in another of the
 * forms that Unicode normalisation maps to `=`, `+`, `-` and `@`; and the characters that may make it start a new cell.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B\u2212])/u

/**
 * A whole file: byte order mark, header, and rows that end in CRLF. Text that a spreadsheet would run as a formula gets
 * a leading apostrophe; numbers stay numbers, null is an empty cell.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = stringify(
    [header, ...rows].map((cells) => cells.map(neutralise)),
    // The library quotes CRLF alone; readers also end a row at a bare CR or LF, and some a cell at a semicolon or tab.
    { record_delimiter: 'windows', quoted_match: /[\r\n;\t]/ },
  )
  return byteOrderMark + lines
}

function neutralise(cell: Cell): Cell {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell
}
