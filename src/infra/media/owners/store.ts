import { and, eq, inArray, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { type MediaKind, type MediaSubject, mediaKinds, mediaUrl } from '../../../core/media.ts'
import type { Db, Tx } from '../../db/database.ts'
import { rowsOf } from '../../db/personal-data.ts'
import type { Usage } from '../store.ts'
import { media, mediaOrigins, mediaQuotas, mediaUsages } from '../tables.ts'

/** The media of a user with their addresses, the newest first. (M17) */
export const mediaSections = {
  media: rowsOf(media, 'ownerGuid', {
    shows: [
      ...['guid', 'kind', 'name', 'tournamentGuid', 'teamGuid', 'platformGuid', 'type', 'bytes', 'width', 'height'],
      ...['durationMs', 'hasRightsConfirmed', 'createdAt', 'updatedAt'],
      { origin: sql<string>`(select ${mediaOrigins.origin} from ${mediaOrigins})` },
    ] as const,
    map: ({ origin, ...row }) => ({ ...row, url: mediaUrl(origin, row.guid, row.type) }),
  }),
}

const libraryKinds = (Object.keys(mediaKinds) as MediaKind[]).filter((kind) => mediaKinds[kind].target === 'library')

/** Media that are the user's alone: of no tournament, team, platform or library. */
function isOwn(userGuid: string): SQL | undefined {
  return and(
    eq(media.ownerGuid, userGuid),
    isNull(media.tournamentGuid),
    isNull(media.teamGuid),
    isNull(media.platformGuid),
    not(inArray(media.kind, libraryKinds)),
  )
}

/** The usages of media that are the user's alone, in the order in which records are locked. */
export async function listUsesOfOwn(db: Db, userGuid: string): Promise<Usage[]> {
  return db.session.orm
    .select({
      subject: sql<MediaSubject>`${mediaUsages.subject}`,
      subjectGuid: mediaUsages.subjectGuid,
      field: mediaUsages.field,
      mediaGuid: mediaUsages.mediaGuid,
    })
    .from(mediaUsages)
    .innerJoin(media, eq(media.guid, mediaUsages.mediaGuid))
    .where(and(isOwn(userGuid), ne(mediaUsages.subjectGuid, userGuid)))
    .orderBy(mediaUsages.subject, mediaUsages.subjectGuid, mediaUsages.field, mediaUsages.mediaGuid)
}

/**
 * Waits for transactions that are about to use one of them and have locked it; no other can begin to use one
 * afterwards.
 */
export async function lockOwn(tx: Tx, userGuid: string): Promise<void> {
  await tx.session.orm.select({ guid: media.guid }).from(media).where(isOwn(userGuid)).orderBy(media.guid).for('update')
}

/**
 * Deletes the locked media that are the user's alone, with usages by deleted records; returns their GUIDs and digests.
 */
export async function deleteOwn(
  tx: Tx,
  userGuid: string,
): Promise<{ readonly guid: string; readonly digest: string }[]> {
  const { orm } = tx.session
  const own = orm.select({ guid: media.guid }).from(media).where(isOwn(userGuid))
  await orm.delete(mediaUsages).where(inArray(mediaUsages.mediaGuid, own))
  return orm
    .delete(media)
    .where(isOwn(userGuid))
    .returning({ guid: media.guid, digest: sql<string>`encode(${media.digest}, 'hex')` })
}

/** Removes the owner from the media that stay. */
export async function disown(tx: Tx, userGuid: string): Promise<string[]> {
  const { orm } = tx.session
  const rows = await orm
    .update(media)
    .set({ ownerGuid: null })
    .where(eq(media.ownerGuid, userGuid))
    .returning({ guid: media.guid })
  await orm.delete(mediaQuotas).where(eq(mediaQuotas.guid, userGuid))
  return rows.map(({ guid }) => guid)
}
