import { namedGuids } from '../../core/markdown-guids.ts'
import type { MediaSubject } from '../../core/media.ts'
import type { Tx } from '../db/database.ts'
import { isIn, type Room } from './references.ts'
import { listUsagesOf, lockMedia, type UsableMedia } from './store.ts'
import { setUsages } from './usages.ts'

/** Markdown of a record, by the member that holds it; what is left out stays as it was. */
type Texts = Readonly<Record<string, string | null | undefined>>

/**
 * Has a record use the media that its texts show, whosever they are, and no others there. One that its writer may not use in it is
 * of others, whom no stranger’s text keeps from deleting it. Call after the record is written. (M14, M27)
 */
export async function useShown(
  tx: Tx,
  { subject, subjectGuid }: { readonly subject: MediaSubject; readonly subjectGuid: string },
  texts: Texts,
  { room, now }: { readonly room: Room; readonly now: Date },
): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined) continue
    const named = namedGuids(text ?? '')
    const before = await listUsagesOf(tx, [subjectGuid], field)
    // Together with those that are shown no more, so that all are locked in one order.
    const locked = await lockMedia(tx, [...new Set([...named, ...before.map(({ mediaGuid }) => mediaGuid)])])
    const found = locked.filter(({ guid }) => named.includes(guid))
    const foreign = found.filter((row) => !isIn(row, room))
    await setUsages(tx, { subject, subjectGuid, field }, guidsOf(found), now, new Set(guidsOf(foreign)))
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

function guidsOf(media: readonly UsableMedia[]): string[] {
  return media.map(({ guid }) => guid)
}
