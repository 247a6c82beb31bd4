import { and, asc, eq, gte, inArray, lt, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { MediaType } from '../../../../core/media.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { media, mediaQuotas, mediaUsages, remotePictures, variantUses } from '../../../../infra/media/tables.ts'
import { collectedKinds, keptDays } from '../rules.ts'

/** Queries of the sweep and of the check. */

const idleSince = sql`coalesce(${media.unusedSince}, ${media.createdAt})`
const isIdle = sql`(${media.unusedSince} is not null or not ${media.wasUsed})`

/** Returns media whose time without use is over, at most `limit`. (M14) */
export async function listUnused(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(isOver(db, now))
    .orderBy(asc(idleSince))
    .limit(limit)
  return rows.map(({ guid }) => guid)
}

/** Checks a locked medium again: it may have been used or uploaded again since it was listed. */
export async function isStillUnused(tx: Tx, guid: string, now: Date): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(and(eq(media.guid, guid), isOver(tx, now)))
  return rows.length > 0
}

function isOver(db: Db, now: Date): SQL | undefined {
  const before = (days: number) =>
    sql`${idleSince} < ${now.toISOString()}::timestamptz - make_interval(days => ${days})`
  const isCollected = inArray(media.kind, [...collectedKinds])
  return and(
    isIdle,
    before(keptDays.neverUsed),
    or(
      and(isCollected, before(keptDays.collected)),
      and(not(isCollected), or(not(media.wasUsed), before(keptDays.usedBefore))),
    ),
    notExists(db.session.orm.select().from(mediaUsages).where(eq(mediaUsages.mediaGuid, media.guid))),
  )
}

/** Returns those of the digests that rows name, in hex. */
export async function listNamed(db: Db, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = digests.map((digest) => Buffer.from(digest, 'hex'))
  const [own, remote] = await Promise.all([
    db.session.orm.select({ digest: media.digest }).from(media).where(inArray(media.digest, wanted)),
    db.session.orm
      .select({ digest: remotePictures.digest })
      .from(remotePictures)
      .where(inArray(remotePictures.digest, wanted)),
  ])
  return new Set([...own, ...remote].flatMap(({ digest }) => digest?.toString('hex') ?? []))
}

/** Returns those of the variants that were requested since an instant, to the day. */
export async function listAskedFor(db: Db, names: readonly string[], since: Date): Promise<ReadonlySet<string>> {
  const rows = await db.session.orm
    .select({ name: variantUses.name })
    .from(variantUses)
    .where(and(inArray(variantUses.name, [...names]), gte(variantUses.usedOn, dayOf(since))))
  return new Set(rows.map(({ name }) => name))
}

/** Deletes the usage days of variants before a time. */
export async function forgetUses(tx: Tx, before: Date): Promise<void> {
  await tx.session.orm.delete(variantUses).where(lt(variantUses.usedOn, dayOf(before)))
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

export interface NamedObject {
  readonly digest: string
  readonly bytes: number
}

/** Returns objects that rows name, in the order of their digests, at most `limit`. */
export async function listNamedObjects(db: Db, after: string, limit: number): Promise<NamedObject[]> {
  const { rows } = await db.session.orm.execute<{ digest: string; bytes: number }>(sql`
    select encode(digest, 'hex') as digest, max(bytes) as bytes from (
      (select digest, bytes from ${media} where digest > decode(${after}, 'hex') order by digest limit ${limit})
      union all
      (select digest, bytes from ${remotePictures} where digest > decode(${after}, 'hex') order by digest limit ${limit})
    ) named group by digest order by digest limit ${limit}`)
  return rows
}

export interface RoomDifference {
  readonly guid: string
  readonly usedBytes: number
  readonly usedFiles: number
  readonly bytes: number
  readonly files: number
}

/** Returns the quotas whose counts differ from their media. */
export async function listRoomDifferences(db: Db, limit: number): Promise<RoomDifference[]> {
  const { rows } = await db.session.orm.execute<{ [Name in keyof RoomDifference]: RoomDifference[Name] }>(sql`
    select q.guid, q.used_bytes::float8 as "usedBytes", q.used_files as "usedFiles",
      coalesce(m.bytes, 0)::float8 as bytes, coalesce(m.files, 0) as files
    from ${mediaQuotas} q left join (
      select coalesce(tournament_guid, platform_guid, owner_guid) as guid, sum(bytes) as bytes, count(*)::int as files
      from ${media} group by 1
    ) m on m.guid = q.guid
    where q.used_bytes <> coalesce(m.bytes, 0) or q.used_files <> coalesce(m.files, 0) limit ${limit}`)
  return rows
}

/** Returns the type of an object. An object that no medium names is an external picture (WebP), or unused. */
export async function findTypeOf(db: Db, digest: string): Promise<MediaType> {
  const [row] = await db.session.orm
    .select({ type: media.type })
    .from(media)
    .where(eq(media.digest, Buffer.from(digest, 'hex')))
    .limit(1)
  return row?.type ?? 'image/webp'
}
