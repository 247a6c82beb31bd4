import { namedGuids } from '../../core/markdown-guids.ts'
import type { MediaSubject } from '../../core/media.ts'
import type { Tx } from '../db/database.ts'
import { isIn, type Room } from './references.ts'
import { listUsagesOf, lockMedia } from './store.ts'
import { setUsages } from './usages.ts'

/** Markdown of a record, by the member that holds it; what is left out stays as it was. */
type Texts = Readonly<Record<string, string | null | undefined>>

/**
 * Has a record use the media that its texts show, and no others there: those that its writer may use in it, and those that it used
 * before. A picture of anybody else’s is shown as long as its owner keeps it, whom no stranger’s text keeps from deleting it. Call
 * after the record is written. (M14, M27)
 */
export async function useShown(
  tx: Tx,
  { subject, subjectGuid }: { readonly subject: MediaSubject; readonly subjectGuid: string },
  texts: Texts,
  { room, now }: { readonly room: Room; readonly now: Date },
): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined) continue
    const named = new Set(namedGuids(text ?? ''))
    const before = new Set((await listUsagesOf(tx, [subjectGuid], field)).map(({ mediaGuid }) => mediaGuid))
    const found = await lockMedia(tx, [...new Set([...named, ...before])])
    const shown = found.filter((row) => named.has(row.guid) && (before.has(row.guid) || isIn(row, room)))
    const guids = shown.map(({ guid }) => guid)
    await setUsages(tx, { subject, subjectGuid, field }, guids, now)
  }
}

/** Those of the texts that are other ones than before. */
export function changedTexts<Name extends string>(
  names: readonly Name[],
  before: { readonly [Member in Name]: string | null },
  after: { readonly [Member in Name]: string | null },
): Texts {
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]))
}
