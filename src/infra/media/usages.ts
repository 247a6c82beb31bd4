import type { Tx } from '../db/database.ts'
import { deleteUsages, insertUsages, listUsagesOf, lockMedia, type Usage } from './store.ts'

/** Which records use which media; saved so that the sweep deletes no media in use. (M14) */

/**
 * Saves that a field uses these media and no others.
 * @param foreign the media among them that belong to others
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

/** Ends all usages of deleted records, given by GUID. */
export async function endUsages(tx: Tx, subjectGuids: readonly string[], now: Date): Promise<void> {
  if (subjectGuids.length === 0) return
  const usages = await listUsagesOf(tx, subjectGuids)
  await lockMedia(
    tx,
    usages.map(({ mediaGuid }) => mediaGuid),
  )
  await deleteUsages(tx, usages, now)
}

/** Ends one usage; returns whether it existed. The record must be locked. */
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
