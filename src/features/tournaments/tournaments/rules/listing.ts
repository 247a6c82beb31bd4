import { listEntries, readWords } from '../../../../core/list.ts'
import { invalid } from '../../../../core/problem.ts'
import { listedStatuses } from '../types.ts'
import { readDate } from './dates.ts'

/**
 * How many characters of each long text a list shows: enough for a card. The tournament's own address has the full
 * text. (D8)
 */
export const excerptCharacters = 500

/** The parts that a list shows in full on request. */
export const listParts = ['texts', 'fields'] as const

/** @throws Problem `include.invalid` */
export function readListParts(text: string | undefined): { readonly texts: boolean; readonly fields: boolean } {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  const words = new Set(readWords(named, listParts, 'include', 'include.invalid'))
  return { texts: words.has('texts'), fields: words.has('fields') }
}

type ListedStatus = (typeof listedStatuses)[number]

/**
 * Parses a comma-separated list of statuses. A status in which tournaments are never listed is refused rather than
 * answered with an empty list. Returns undefined for no filter, also if all statuses are named. (D26)
 * @throws Problem `tournament.status_not_listed`
 */
export function readStatuses(text: string | undefined): readonly ListedStatus[] | undefined {
  if (text === undefined) return undefined
  const statuses = readWords(listEntries(text), listedStatuses, 'status', 'tournament.status_not_listed')
  return statuses.length === listedStatuses.length ? undefined : statuses
}

/**
 * Builds a search in which all words must match, the last one as a prefix. Separators are dropped, so that no search
 * text can break the query's syntax. (additions: Tournament record)
 * @returns the query for `to_tsquery`, or null if the text has no words
 */
export function readSearch(text: string): string | null {
  // The same ASCII characters separate words in the stored names. The database judges all other characters.
  const words = text.normalize('NFC').split(/(?:(?![A-Za-z0-9])\p{ASCII})+/u)
  const quoted = words.filter((word) => word !== '').map((word) => `'${word}'`)
  return quoted.length === 0 ? null : `${quoted.join(' & ')}:*`
}

/**
 * Parses the period that listed tournaments must overlap. An unset instant is no limit. (D7)
 * @throws Problem `tournament.window_invalid`, `tournament.invalid`
 */
export function readWindow(from: string | undefined, to: string | undefined) {
  const window = {
    from: readDate('from', from) ?? undefined,
    to: readDate('to', to) ?? undefined,
  }
  if (window.from !== undefined && window.to !== undefined && window.from.getTime() > window.to.getTime()) {
    throw invalid('tournament.window_invalid', '`from` must not be after `to`.')
  }
  return window
}
