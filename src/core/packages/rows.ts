import { invalid } from '../problem.ts'
import type { PackedFile } from './reading.ts'

/** A row of a package. Nothing is known of its members. */
export type PackageRow = Readonly<Record<string, unknown>>

/**
 * The rows of a file that was verified, with their lines, counted from 1. Few of them are in memory at a time.
 * @throws Problem `package.row` for a text that no database can keep
 */
export async function* rowsOf({
  path,
  read,
}: PackedFile): AsyncIterable<{ readonly line: number; readonly row: PackageRow }> {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let [rest, line] = ['', 0]
  for await (const piece of read()) {
    const [first = '', ...others] = text.decode(piece, { stream: true }).split('\n')
    rest += first
    for (const other of others) {
      line++
      const row: PackageRow = JSON.parse(rest)
      if (mayHaveWrongText.test(rest) && hasWrongText(row)) {
        const fault = 'a text has a character that is none (U+0000, or half of a surrogate pair)'
        throw invalid('package.row', `${path}, line ${line}: ${fault}.`, { path, line })
      }
      yield { line, row }
      rest = other
    }
  }
}

/** In UTF-8, such characters can only be escaped. */
const mayHaveWrongText = /\\u(?:0000|d[89a-f])/i

function hasWrongText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasWrongText(name) || hasWrongText(member))
}
