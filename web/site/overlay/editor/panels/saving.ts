import { saveFile } from '../../../parts/save-file.ts'

/** Files of documents. */

/** A document as a file that can be taken as the draft again. */
export const packageOf = (document: object): string =>
  JSON.stringify({ format: 'downbeat-overlay', version: 1, document, assets: [] })

export function saveAs(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'application/json' }))
}
