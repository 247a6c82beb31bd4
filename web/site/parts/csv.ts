import { saveFile } from './save-file.ts'

/** Tables as files for spreadsheets. (RFC 4180) */

export type CsvCell = string | number | null

/** A text that a spreadsheet would take for a formula begins with an apostrophe, which it takes away. */
function fieldOf(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  const lines = rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`)
  // The mark tells spreadsheets that the text is UTF-8.
  saveTable(name, ['\uFEFF', ...lines])
}

/** Saves a table that is a text already. */
export function saveTable(name: string, lines: readonly string[]): void {
  const file = new Blob([...lines], { type: 'text/csv;charset=utf-8' })
  saveFile(`${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`, file)
}
