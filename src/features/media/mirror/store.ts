import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { addressKey } from '../../../infra/db/columns.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import { dropObjects } from '../../../infra/media/objects/drop.ts'
import { remotePictures } from '../../../infra/media/tables.ts'
import { applications } from '../../../oauth/tables.ts'
import { awardEditions, awardNominees } from '../../awards/awards/tables.ts'
import { qualifierMaps, qualifiers } from '../../brackets/qualifiers/tables.ts'
import { platforms } from '../../listing/platforms/tables.ts'
import { maps } from '../../maps/catalogue/tables.ts'
import { poolMaps, pools, withdrawnMaps } from '../../maps/pools/tables.ts'
import { overlayControls } from '../../overlays/control/tables.ts'
import { overlays } from '../../overlays/overlays/tables.ts'
import { users } from '../../people/users/tables.ts'
import type { User } from '../../people/users/types.ts'
import { teams } from '../../teams/teams/tables.ts'
import { isReal, tournaments } from '../../tournaments/tournaments/tables.ts'
import { chatPicturesOf } from './rules.ts'

export interface RemotePicture {
  readonly url: string
  /** Digest of the stored copy, in hex; null while there is none. */
  readonly digest: string | null
  readonly bytes: number | null
  readonly retryAt: Date | null
}

/** The key of an address: its SHA-256. */
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

/**
 * The columns with picture addresses. Each has an index, except those in `few`, whose tables are small. What only a
 * rehearsal shows is not fetched. (R3)
 */
const holders = [users.avatarUrl, applications.imageUrl]
const realHolders = [
  { column: teams.imageUrl, isSeen: isReal(teams.tournamentGuid) },
  { column: tournaments.imageUrl, isSeen: sql`${tournaments.rehearsalOf} is null` },
  { column: tournaments.bannerUrl, isSeen: sql`${tournaments.rehearsalOf} is null` },
]
const few = [platforms.imageUrl, awardEditions.bannerUrl, awardNominees.imageUrl]

/** Whether a pool shows a map to everybody. (pools: What outsiders see) */
const isShown = sql`${poolMaps.releasedAt} is not null and ${pools.status} <> 'draft'`

/**
 * Cover addresses follow from the hashes of maps. So only visible maps count; otherwise a request would reveal which
 * maps are in drafts.
 */
const isShownOfMap = sql`exists (select from ${poolMaps} join ${pools} on ${pools.guid} = ${poolMaps.poolGuid}
  where ${poolMaps.mapGuid} = ${maps.guid} and ${isShown} and ${isReal(pools.tournamentGuid)})`

/** Maps of a qualifier that has begun, except maps that a pool still hides. */
const isShownOfQualifier = sql`exists (select from ${qualifiers} where ${qualifiers.guid} = ${qualifierMaps.qualifierGuid}
    and ${isReal(qualifiers.tournamentGuid)} and (${qualifiers.status} <> 'draft' or ${qualifiers.opensAt} <= now()))
  and not exists (select from ${poolMaps} join ${pools} on ${pools.guid} = ${poolMaps.poolGuid}
    where ${poolMaps.guid} = ${qualifierMaps.poolMapGuid} and not (${isShown}))
  and not exists (select from ${withdrawnMaps} where ${withdrawnMaps.guid} = ${qualifierMaps.poolMapGuid})`

/** SQL condition: whether a visible record contains the address. */
function isHeld(url: ReturnType<typeof sql>) {
  const heldBy = (column: AnyPgColumn, isSeen = sql`true`) =>
    sql`exists (select from ${column.table} where ${addressKey(column)} = md5(${url}) and ${column} = ${url} and ${isSeen})`
  const held = [
    ...holders.map((column) => heldBy(column)),
    ...realHolders.map(({ column, isSeen }) => heldBy(column, isSeen)),
  ]
  const heldByMaps = [heldBy(maps.imageUrl, isShownOfMap), heldBy(qualifierMaps.imageUrl, isShownOfQualifier)]
  const heldByFew = few.map((column) => sql`exists (select from ${column.table} where ${column} = ${url})`)
  const { casters } = overlayControls
  // A count makes the planner use the index; for `exists` it would rather read all rows.
  const heldByCasters = sql`(select count(*) from ${overlayControls}
    join ${overlays} on ${overlays.guid} = ${overlayControls.overlayGuid}
    where ${casters} @> jsonb_build_array(jsonb_build_object('imageUrl', ${url})) and ${isReal(overlays.tournamentGuid)}) > 0`
  return sql<boolean>`(${sql.join([...held, ...heldByMaps, heldByCasters, ...heldByFew], sql` or `)})`
}

export async function isAddressHeld(db: Db, url: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute<{ held: boolean }>(sql`select ${isHeld(sql`${url}::text`)} as held`)
  return rows[0]?.held === true
}

/**
 * Reserves the fetch of a picture for the caller, until the given time. Of several concurrent callers, only one gets
 * true. Returns false if the picture is not due.
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

/** Deletes an address without a stored copy. */
export async function forgetAwaited(tx: Tx, url: string): Promise<void> {
  await tx.session.orm
    .delete(remotePictures)
    .where(and(eq(remotePictures.address, keyOf(url)), isNull(remotePictures.digest)))
}

/**
 * Updates for a batch of pictures whether records still contain their addresses, in the order of their keys.
 * @returns the key of the last one, or null if there were no more
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

/** Deletes pictures that were dropped before a time. The sweep of unnamed objects deletes their files. */
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

/** The mirrored pictures of a user, whose addresses may identify the user. */
export const mirrorPersonalData = declarePersonalData({ forget: [forgetPictures] })

/** Deletes the user's current picture and all earlier ones of the chat account immediately, not at the next sweep. (D35, M22) */
async function forgetPictures(
  tx: Tx,
  user: Pick<User, 'avatarUrl' | 'chatAvatarUrl' | 'chatPlatformId'>,
): Promise<void> {
  const ofAccount = chatPicturesOf(user)
  const { address, url } = remotePictures
  const forgotten = await tx.session.orm
    .delete(remotePictures)
    .where(
      or(
        inArray(address, [user.avatarUrl, user.chatAvatarUrl ?? ''].map(keyOf)),
        ofAccount === null
          ? undefined
          : sql`left(${url}, 100) ~>=~ ${ofAccount} and left(${url}, 100) ~<~ ${`${ofAccount}~`}`,
      ),
    )
    .returning({ digest: sql<string | null>`encode(${remotePictures.digest}, 'hex')` })
  await dropObjects(
    tx,
    forgotten.flatMap(({ digest }) => digest ?? []),
  )
}
