import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { MediaKind } from '../../../../core/media.ts'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { blockedUploads, media, mediaUsages } from '../../../../infra/media/tables.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { isReal, tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { Medium, Target, Usage } from '../types.ts'

const columns = {
  guid: media.guid,
  kind: media.kind,
  name: media.name,
  ownerGuid: media.ownerGuid,
  tournament: { guid: tournaments.guid, id: tournaments.id },
  team: { guid: teams.guid, captainGuid: teams.captainGuid },
  platform: { guid: platforms.guid, contextId: platforms.contextId },
  tournamentGuid: media.tournamentGuid,
  teamGuid: media.teamGuid,
  platformGuid: media.platformGuid,
  type: media.type,
  bytes: media.bytes,
  width: media.width,
  height: media.height,
  isAnimated: media.isAnimated,
  durationMs: media.durationMs,
  color: media.color,
  digest: media.digest,
  uploadDigest: media.uploadDigest,
  usages: sql<number>`(select count(*)::int from ${mediaUsages} u where u.media_guid = ${media.guid})`,
  createdAt: media.createdAt,
  updatedAt: media.updatedAt,
}

function select(db: Db) {
  return db.session.orm
    .select(columns)
    .from(media)
    .leftJoin(tournaments, eq(tournaments.guid, media.tournamentGuid))
    .leftJoin(teams, eq(teams.guid, media.teamGuid))
    .leftJoin(platforms, eq(platforms.guid, media.platformGuid))
}

export async function findMedium(db: Db, guid: string): Promise<Medium | undefined> {
  const [row] = await select(db).where(eq(media.guid, guid))
  return row
}

/** Selects the media of a list. */
export interface MediaFilter {
  readonly ownerGuid?: string | undefined
  readonly tournamentGuid?: string | undefined
  readonly kind?: MediaKind | undefined
  readonly isUnused?: boolean | undefined
}

/** Newest first, plus one row beyond `limit`. */
export async function listMedia(
  db: Db,
  filter: MediaFilter,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Medium[]> {
  return select(db)
    .where(and(...conditionsOf(filter), madeBefore(media, after)))
    .orderBy(desc(media.createdAt), desc(media.guid))
    .limit(limit + 1)
}

function conditionsOf({ ownerGuid, tournamentGuid, kind, isUnused }: MediaFilter): (SQL | undefined)[] {
  const isUsed = sql`exists (select from ${mediaUsages} u where u.media_guid = ${media.guid})`
  return [
    ownerGuid === undefined ? undefined : eq(media.ownerGuid, ownerGuid),
    // Media of a rehearsal are only in its own list. (R1)
    tournamentGuid === undefined ? isReal(media.tournamentGuid) : eq(media.tournamentGuid, tournamentGuid),
    kind === undefined ? undefined : eq(media.kind, kind),
    isUnused === undefined ? undefined : isUnused ? sql`not ${isUsed}` : isUsed,
  ]
}

/**
 * Returns the GUID of the medium that the same owner made of the same upload for the same target. (media: Operations)
 */
export async function findSameUpload(
  db: Db,
  digest: string,
  ownerGuid: string,
  { kind, tournamentGuid, teamGuid, platformGuid }: Target,
): Promise<string | null> {
  const same = (column: AnyPgColumn, value: string | null) => (value === null ? isNull(column) : eq(column, value))
  const [row] = await db.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(
      and(
        eq(media.uploadDigest, Buffer.from(digest, 'hex')),
        eq(media.kind, kind),
        eq(media.ownerGuid, ownerGuid),
        same(media.tournamentGuid, tournamentGuid),
        same(media.teamGuid, teamGuid),
        same(media.platformGuid, platformGuid),
      ),
    )
  return row?.guid ?? null
}

/** Returns the medium that the service itself made of a file: without owner, tournament, team and platform. */
export async function lockBrought(tx: Tx, digest: string, kind: MediaKind): Promise<string | null> {
  const places = [media.ownerGuid, media.tournamentGuid, media.teamGuid, media.platformGuid]
  const [row] = await tx.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(and(eq(media.uploadDigest, Buffer.from(digest, 'hex')), eq(media.kind, kind), ...places.map(isNull)))
    .orderBy(media.guid)
    .limit(1)
    .for('no key update')
  return row?.guid ?? null
}

/** Returns the media that were made of one upload, by any user. */
export async function listCopies(db: Db, uploadDigest: Buffer): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(eq(media.uploadDigest, uploadDigest))
    .orderBy(media.guid)
  return rows.map(({ guid }) => guid)
}

const blocked = statement('media.blocked', (orm) =>
  orm
    .select({ digest: blockedUploads.digest })
    .from(blockedUploads)
    .where(eq(blockedUploads.digest, sql.placeholder('digest'))),
)

/**
 * Shared lock: the upload cannot be taken down until the transaction ends, so a takedown either finds the new medium or
 * blocks it. Call before a quota is locked.
 */
export async function lockUploadForShare(tx: Tx, digest: string): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock_shared(${uploadKey(digest)})`)
}

/**
 * Exclusive lock for a takedown: waits for transactions that insert a medium of the upload, and makes later ones wait.
 */
export async function lockUpload(tx: Tx, digest: string): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(${uploadKey(digest)})`)
}

function uploadKey(digest: string): SQL {
  return sql`hashtextextended(${`media upload ${digest}`}, 0)`
}

export async function isBlocked(db: Db, digest: string): Promise<boolean> {
  return (await blocked(db, { digest: Buffer.from(digest, 'hex') })).length > 0
}

export async function blockUpload(tx: Tx, digest: Buffer, reason: string, byGuid: string, now: Date): Promise<void> {
  await tx.session.orm.insert(blockedUploads).values({ digest, reason, byGuid, createdAt: now }).onConflictDoNothing()
}

export type NewMedium = typeof media.$inferInsert

export async function insertMedium(tx: Tx, medium: NewMedium): Promise<string> {
  const [row] = await tx.session.orm.insert(media).values(medium).returning({ guid: media.guid })
  if (row === undefined) throw new Error('an inserted medium was not returned')
  return row.guid
}

export async function renameMedium(tx: Tx, guid: string, name: string, now: Date): Promise<void> {
  await tx.session.orm.update(media).set({ name, updatedAt: now }).where(eq(media.guid, guid))
}

/** Locks the medium for the rest of the transaction, so that no new use of it begins. */
export async function lockMedium(tx: Tx, guid: string): Promise<Medium | undefined> {
  const rows = await tx.session.orm.select({ guid: media.guid }).from(media).where(eq(media.guid, guid)).for('update')
  return rows.length === 0 ? undefined : findMedium(tx, guid)
}

/**
 * Restarts the time without use, if the medium is unused. (M14)
 * @returns whether the medium exists
 */
export async function renewIdle(tx: Tx, guid: string, now: Date): Promise<boolean> {
  const isIdle = sql`${media.unusedSince} is not null or not ${media.wasUsed}`
  const rows = await tx.session.orm
    .update(media)
    .set({ unusedSince: sql`case when ${isIdle} then ${now.toISOString()}::timestamptz end` })
    .where(eq(media.guid, guid))
    .returning({ guid: media.guid })
  return rows.length > 0
}

export async function deleteMedium(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(media).where(eq(media.guid, guid))
}

/** Maximum number of usages in one answer. Real media have fewer. */
const maxUsages = 1_000

export async function listUsages(db: Db, mediaGuid: string): Promise<Usage[]> {
  const rows = await db.session.orm
    .select({
      subject: sql<Usage['subject']>`${mediaUsages.subject}`,
      subjectGuid: mediaUsages.subjectGuid,
      field: mediaUsages.field,
      isForeign: mediaUsages.isForeign,
    })
    .from(mediaUsages)
    .where(eq(mediaUsages.mediaGuid, mediaGuid))
    .orderBy(mediaUsages.createdAt, mediaUsages.guid)
    .limit(maxUsages)
  return rows
}

/** Returns the GUID of the tournament's organiser; empty if the tournament was deleted. */
export async function findOrganisers(db: Db, tournamentGuid: string): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: tournaments.organiserGuid })
    .from(tournaments)
    .where(eq(tournaments.guid, tournamentGuid))
  return rows.map(({ guid }) => guid)
}
