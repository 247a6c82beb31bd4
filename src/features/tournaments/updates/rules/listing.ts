import { jsonBytes } from '../../../../core/page.ts'
import type { Update } from '../types.ts'

/** HTML is at most this many times as long as its source, apart from a text with wide tables or many short forms. */
const growth = 8
/** A short text with wide tables, which are filled up to the width of their widest line, becomes as long as this. */
const ofTables = 20_000

/** The approximate size of an update in an answer with its HTML, which is rendered only once the page is cut. (D8) */
export function bytesWithHtml(update: Update): number {
  return jsonBytes(update) + growth * Buffer.byteLength(update.content) + ofTables
}
