import { listEntries, readWords } from '../../../../core/list.ts'
import { jsonBytes } from '../../../../core/page.ts'
import type { Update } from '../types.ts'

/** The parts that the list of updates shows beside each update on request. */
export const listParts = ['html'] as const

/** @throws Problem `include.invalid` */
export function readListParts(text: string | undefined): { readonly html: boolean } {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  return { html: readWords(named, listParts, 'include', 'include.invalid').includes('html') }
}

/** How many times as long as its source HTML can be, for a text that a parser is asked about. */
export const htmlGrowth = 8

/** The approximate size of an update in an answer with its HTML, which is rendered only once the page is cut. (D8) */
export function bytesWithHtml(update: Update): number {
  return jsonBytes(update) + htmlGrowth * Buffer.byteLength(update.content)
}
