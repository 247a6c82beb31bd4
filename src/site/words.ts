import { readFileSync } from 'node:fs'
import type english from '../../web/locales/en.json'

export type WordId = keyof typeof english

const file = new URL('../../web/locales/en.json', import.meta.url)
let known: Readonly<Record<WordId, string>> | undefined

/** A text of the website. They are read at the first head of a page, since nothing else of the service needs them. */
export function textOf(id: WordId): string {
  known ??= JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<WordId, string>>
  return known[id]
}
