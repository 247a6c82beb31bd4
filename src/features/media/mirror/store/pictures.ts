import { createHash } from 'node:crypto'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { addressKey } from '../../../../infra/db/columns.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { remotePictures } from '../../../../infra/media/tables.ts'
import { applications } from '../../../../oauth/tables.ts'
import { awardEditions, awardNominees } from '../../../awards/awards/tables.ts'
import { qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { poolMaps, pools, withdrawnMaps } from '../../../maps/pools/tables.ts'
import { overlayControls } from '../../../overlays/control/tables.ts'
import { users } from '../../../people/users/tables.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'

export interface RemotePicture {
  readonly url: string
  /** Of the picture as it is kept, in hex; null while there is none. */
  readonly digest: string | null
  readonly bytes: number | null
  readonly retryAt: Date | null
}

/** By what addresses are told apart. */
export function keyOf(url: string): Buffer {
  return createHash('sha256').update(url).digest()
}

const columns = {
  url: remotePictures.url,
  digest: sql<string | null>`encode(${remotePictures.digest}, 'hex')`,
  bytes: remotePictures.bytes,
  retryAt: remotePictures.retryAt,
}

const byKey = statement('mirror.by_key', (orm) =>
  orm
    .select(columns)
    .from(remotePictures)
    .where(eq(remotePictures.address, sql.placeholder('key'))),
)

export async function findPicture(db: Db, url: string): Promise<RemotePicture | undefined> {
  return (await byKey(db, { key: keyOf(url) }))[0]
}

export async function findByKey(db: Db, key: string): Promise<RemotePicture | undefined> {
  return (await byKey(db, { key: Buffer.from(key, 'hex') }))[0]
}

/** Where records hold addresses of pictures; each found by an index, but for those that are few. */
const holders = [users.avatarUrl, teams.imageUrl, tournaments.imageUrl, tournaments.bannerUrl, applications.imageUrl]
const few = [platforms.imageUrl, awardEditions.bannerUrl, awardNominees.imageUrl]

/** Whether a pool shows a map to others than its poolers. (pools: What outsiders see) */
const isShown = sql`${poolMaps.releasedAt} is not null and ${pools.status} <> 'draft'`

/**
 * Covers follow from the hashes of maps: whoever asks for one would learn which maps stand in drafts, so that those alone count
 * that are shown.
 */
const isShownOfMap = sql`exists (select from ${poolMaps} join ${pools} on ${pools.guid} = ${poolMaps.poolGuid}
  where ${poolMaps.mapGuid} = ${maps.guid} and ${isShown})`

/** Those of a qualifier that has begun, but for what a pool withholds. */
const isShownOfQualifier = sql`exists (select from ${qualifiers} where ${qualifiers.guid} = ${qualifierMaps.qualifierGuid}
    and (${qualifiers.status} <> 'draft' or ${qualifiers.opensAt} <= now()))
  and not exists (select from ${poolMaps} join ${pools} on ${pools.guid} = ${poolMaps.poolGuid}
    where ${poolMaps.guid} = ${qualifierMaps.poolMapGuid} and not (${isShown}))
  and not exists (select from ${withdrawnMaps} where ${withdrawnMaps.guid} = ${qualifierMaps.poolMapGuid})`

/** In SQL, whether any record holds an address that may be asked for. */
function isHeld(url: ReturnType<typeof sql>) {
  const heldBy = (column: AnyPgColumn, isSeen = sql`true`) =>
    sql`exists (select from ${column.table} where ${addressKey(column)} = md5(${url}) and ${column} = ${url} and ${isSeen})`
  const held = holders.map((column) => heldBy(column))
  const heldByMaps = [heldBy(maps.imageUrl, isShownOfMap), heldBy(qualifierMaps.imageUrl, isShownOfQualifier)]
  const heldByFew = few.map((column) => sql`exists (select from ${column.table} where ${column} = ${url})`)
  const { casters } = overlayControls
  // Counted, for to find one alone the planner would rather read them all than use the index.
  const heldByCasters = sql`(select count(*) from ${overlayControls}
    where ${casters} @> jsonb_build_array(jsonb_build_object('imageUrl', ${url}))) > 0`
  return sql<boolean>`(${sql.join([...held, ...heldByMaps, heldByCasters, ...heldByFew], sql` or `)})`
}

export async function isAddressHeld(db: Db, url: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute<{ held: boolean }>(sql`select ${isHeld(sql`${url}::text`)} as held`)
  return rows[0]?.held === true
}

/**
 * Takes it upon the caller to have the picture fetched, until then: of many who ask for it at once one is told true, and nobody
 * where its time has not come.
 */
export async function claim(tx: Tx, url: string, now: Date, until: Date): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(remotePictures)
    .values({ address: keyOf(url), url, retryAt: until })
    .onConflictDoUpdate({
      target: remotePictures.address,
      set: { retryAt: until, droppedAt: null },
      setWhere: sql`${remotePictures.retryAt} is null or ${remotePictures.retryAt} <= ${now.toISOString()}::timestamptz`,
    })
    .returning({ address: remotePictures.address })
  return rows.length > 0
}

export async function savePicture(
  tx: Tx,
  url: string,
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
  now: Date,
  retryAt: Date,
): Promise<void> {
  await tx.session.orm
    .update(remotePictures)
    .set({ digest: Buffer.from(digest, 'hex'), bytes, fetchedAt: now, retryAt })
    .where(eq(remotePictures.address, keyOf(url)))
}

export async function removePicture(tx: Tx, url: string): Promise<void> {
  await tx.session.orm
    .update(remotePictures)
    .set({ digest: null, bytes: null })
    .where(eq(remotePictures.address, keyOf(url)))
}

/** An address of which no picture is kept. */
export async function forgetAwaited(tx: Tx, url: string): Promise<void> {
  await tx.session.orm
    .delete(remotePictures)
    .where(and(eq(remotePictures.address, keyOf(url)), isNull(remotePictures.digest)))
}

/**
 * Notes of some pictures whether records hold their addresses still, in the order of their keys.
 * @returns the key of the last, or null where there were no more
 */
export async function noteHeld(tx: Tx, after: string | null, limit: number, now: Date): Promise<string | null> {
  const { rows } = await tx.session.orm.execute<{ key: string }>(sql`
    with batch as (
      select p.address, ${isHeld(sql`p.url`)} as held from ${remotePictures} p
      where ${after === null ? sql`true` : sql`p.address > decode(${after}, 'hex')`}
      order by p.address limit ${limit} for update),
    noted as (
      update ${remotePictures} p
      set dropped_at = case when s.held then null else coalesce(p.dropped_at, ${now.toISOString()}::timestamptz) end
      from batch s where s.address = p.address and s.held <> (p.dropped_at is null))
    select encode(address, 'hex') as key from batch order by address desc limit 1`)
  return rows[0]?.key ?? null
}

/** Their objects go with the sweep of those that no row names. */
export async function deleteDropped(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ address: remotePictures.address })
    .from(remotePictures)
    .where(lte(remotePictures.droppedAt, before))
    .limit(limit)
  const rows = await tx.session.orm
    .delete(remotePictures)
    .where(sql`${remotePictures.address} in ${old}`)
    .returning({ address: remotePictures.address })
  return rows.length
}
