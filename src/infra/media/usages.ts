import type { Tx } from '../db/database.ts'
import { deleteUsages, insertUsages, listUsagesOf, lockMedia, type Usage } from './store.ts'

/** Which records use which media; kept so that nothing in use is swept. (M14) */

/**
 * Has a field use these media and no others.
 * @param foreign those among them that are of others
 */
export async function setUsages(
  tx: Tx,
  use: Omit<Usage, 'mediaGuid' | 'isForeign'>,
  mediaGuids: readonly string[],
  now: Date,
  foreign: ReadonlySet<string> = new Set(),
): Promise<void> {
  const before = await listUsagesOf(tx, [use.subjectGuid], use.field)
  const ended = before.filter(({ mediaGuid }) => !mediaGuids.includes(mediaGuid))
  const begun = mediaGuids.filter((guid) => before.every(({ mediaGuid }) => mediaGuid !== guid))
  await lockMedia(tx, [...ended.map(({ mediaGuid }) => mediaGuid), ...begun])
  await deleteUsages(tx, ended, now)
  await insertUsages(
    tx,
    begun.map((mediaGuid) => ({ ...use, mediaGuid, isForeign: foreign.has(mediaGuid) })),
  )
}

/** For records that are deleted, by GUID: they use nothing any more. */
export async function endUsages(tx: Tx, subjectGuids: readonly string[], now: Date): Promise<void> {
  if (subjectGuids.length === 0) return
  const usages = await listUsagesOf(tx, subjectGuids)
  await lockMedia(
    tx,
    usages.map(({ mediaGuid }) => mediaGuid),
  )
  await deleteUsages(tx, usages, now)
}

/** Ends one of them, and answers whether there was any. The record must be locked. */
export async function endUsage(tx: Tx, usage: Usage, now: Date): Promise<boolean> {
  const before = await listUsagesOf(tx, [usage.subjectGuid], usage.field)
  const ended = before.filter(({ mediaGuid }) => mediaGuid === usage.mediaGuid)
  await lockMedia(
    tx,
    ended.map(({ mediaGuid }) => mediaGuid),
  )
  await deleteUsages(tx, ended, now)
  return ended.length > 0
}
