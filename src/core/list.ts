import { invalid } from './problem.ts'

/** Comma-separated lists in queries. */

/** The entries of a comma list, without surrounding blanks. An empty text has one entry, which is empty. */
export function listEntries(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

/**
 * Reads entries that must each be one of the known words; returns each word once.
 * @param member the list's name in the query
 * @throws Problem with the given code
 */
export function readWords<W extends string>(
  entries: readonly string[],
  known: readonly W[],
  member: string,
  code: string,
): W[] {
  const words = entries.map((entry) => {
    const word = known.find((candidate) => candidate === entry)
    if (word === undefined) throw invalid(code, `\`${member}\` may list ${known.join(', ')}.`)
    return word
  })
  return [...new Set(words)]
}
