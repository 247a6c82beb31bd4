import { listEntries, readWords } from '../../../../core/list.ts'
import { invalid } from '../../../../core/problem.ts'
import { listedStatuses } from '../types.ts'
import { readDate } from './dates.ts'

/** So much of their long texts lists answer, which is what a card shows; the tournament’s own address has the whole. (D8) */
export const excerptCharacters = 500

/** What lists answer whole where it is asked for. */
export const listParts = ['texts', 'fields'] as const

/** @throws Problem `include.invalid` */
export function readListParts(text: string | undefined): { readonly texts: boolean; readonly fields: boolean } {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  const words = new Set(readWords(named, listParts, 'include', 'include.invalid'))
  return { texts: words.has('texts'), fields: words.has('fields') }
}

type ListedStatus = (typeof listedStatuses)[number]

/**
 * A comma list of statuses in which a tournament can be listed; any other is refused rather than answered with nothing.
 * All of them filter nothing. (D26)
 * @throws Problem `tournament.status_not_listed`
 */
export function readStatuses(text: string | undefined): readonly ListedStatus[] | undefined {
  if (text === undefined) return undefined
  const statuses = readWords(listEntries(text), listedStatuses, 'status', 'tournament.status_not_listed')
  return statuses.length === listedStatuses.length ? undefined : statuses
}

/**
 * All words must be found, the last one as the beginning of a word. Whatever separates words says nothing, so that no
 * search can break the query's syntax. (additions: Tournament record)
 * @returns the form that `to_tsquery` reads, or null when there is no word to search for
 */
export function readSearch(text: string): string | null {
  // The same ASCII characters separate words in the stored names; any other one is for the database to judge.
  const words = text.normalize('NFC').split(/(?:(?![A-Za-z0-9])\p{ASCII})+/u)
  const quoted = words.filter((word) => word !== '').map((word) => `'${word}'`)
  return quoted.length === 0 ? null : `${quoted.join(' & ')}:*`
}

/**
 * The window of time that listed tournaments must touch. An instant that is unset bounds nothing. (D7)
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
