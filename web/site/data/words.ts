import { i18n } from '@lingui/core'
import type english from '../../locales/en.json'

/**
 * The words of the pages, by their names in `web/locales`. The build adds them to the files which name them, so that a page
 * loads its own only. (W14)
 */

export type WordId = keyof typeof english

i18n.load('en', {})
i18n.activate('en')

export { i18n }

export const words = (id: WordId, values?: Readonly<Record<string, unknown>>): string => i18n._(id, values)
