import { namedGuids } from '../../core/markdown-guids.ts'
import type { MediaSubject } from '../../core/media.ts'
import type { Tx } from '../db/database.ts'
import { isIn, type Room } from './references.ts'
import { listUsagesOf, lockMedia, type UsableMedia } from './store.ts'
import { setUsages } from './usages.ts'

/** Markdown of a record, by the member that holds it; members that are left out stay unchanged. */
type Texts = Readonly<Record<string, string | null | undefined>>

/**
 * Saves that a record uses the media that its texts show, and no others there, whatever their owner. Media that the
 * writer may not use are marked as foreign: the text of a stranger does not keep their owner from deleting them. Call
 * it after the record is written. (M14, M27)
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
    // Locks the media of the old and the new text together, so that all are locked in one order.
    const locked = await lockMedia(tx, [...new Set([...named, ...before.map(({ mediaGuid }) => mediaGuid)])])
    const found = locked.filter(({ guid }) => named.includes(guid))
    const foreign = found.filter((row) => !isIn(row, room))
    await setUsages(tx, { subject, subjectGuid, field }, guidsOf(found), now, new Set(guidsOf(foreign)))
  }
}

/** The texts that have changed. */
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
