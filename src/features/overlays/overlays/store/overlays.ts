import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { overlayControls } from '../../control/tables.ts'
import { overlayDrafts, overlayTemplates, overlayVersions } from '../../sceneDocuments/tables.ts'
import { overlayEditors, overlays } from '../tables.ts'
import type { Canvas, Overlay, PointedMatch } from '../types.ts'

/** Includes the editors, in the order in which they were added. */
const columns = {
  guid: overlays.guid,
  tournamentGuid: overlays.tournamentGuid,
  name: overlays.name,
  access: overlays.access,
  editors: sql<string[]>`array(
    select ${overlayEditors.userGuid} from ${overlayEditors}
    where ${overlayEditors.overlayGuid} = ${overlays.guid} order by ${overlayEditors.addedAt}, ${overlayEditors.userGuid}
  )`,
  createdAt: overlays.createdAt,
  updatedAt: overlays.updatedAt,
}

const found = (orm: Orm) => orm.select(columns).from(overlays)

const byGuid = statement('overlays.by_guid', (orm) => found(orm).where(eq(overlays.guid, sql.placeholder('guid'))))

export async function findOverlay(db: Db, guid: string): Promise<Overlay | undefined> {
  return (await byGuid(db, { guid }))[0]
}

/** In no particular order. */
export function listOverlaysByGuid(db: Db, guids: readonly string[]): Promise<Overlay[]> {
  return found(db.session.orm).where(sql`${overlays.guid} = any(${sql.param([...guids])}::uuid[])`)
}

const byTournament = statement('overlays.by_tournament', (orm) =>
  found(orm)
    .where(eq(overlays.tournamentGuid, sql.placeholder('tournament')))
    .orderBy(asc(overlays.createdAt), asc(overlays.guid)),
)

/** Oldest first. A tournament has few overlays. */
export function listOverlays(db: Db, tournament: string): Promise<Overlay[]> {
  return byTournament(db, { tournament })
}

const locked = statement('overlays.lock', (orm) =>
  orm
    .select({ guid: overlays.guid })
    .from(overlays)
    .where(eq(overlays.guid, sql.placeholder('guid')))
    .for('update'),
)

/**
 * Locks the record and returns its current state. Changes of its members, editors and tokens take this lock, so that
 * they run one after the other.
 */
export async function lockOverlay(tx: Tx, guid: string): Promise<Overlay | undefined> {
  await locked(tx, { guid })
  return findOverlay(tx, guid)
}

const lockedForShare = statement('overlays.keep', (orm) =>
  orm
    .select({ guid: overlays.guid })
    .from(overlays)
    .where(eq(overlays.guid, sql.placeholder('guid')))
    .for('share'),
)

/**
 * Shared lock: the members and editors stay unchanged until the transaction ends. Call before the draft or the control
 * state is locked.
 */
export async function lockOverlayForShare(tx: Tx, guid: string): Promise<Overlay | undefined> {
  await lockedForShare(tx, { guid })
  return findOverlay(tx, guid)
}

/**
 * Locks the overlay names of a tournament, so that they are set one after the other. Call before records are locked.
 */
export async function lockNames(tx: Tx, tournament: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('overlay names ' || ${tournament}::text, 0))`,
  )
}

/** Returns the names of the tournament's other overlays. Call under `lockNames`. */
export async function listOtherNames(tx: Tx, tournament: string, guid?: string): Promise<readonly string[]> {
  const rows = await tx.session.orm
    .select({ name: overlays.name })
    .from(overlays)
    .where(and(eq(overlays.tournamentGuid, tournament), guid === undefined ? undefined : ne(overlays.guid, guid)))
  return rows.map(({ name }) => name)
}

export async function countOverlays(db: Db, tournament: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ count: count() })
    .from(overlays)
    .where(eq(overlays.tournamentGuid, tournament))
  return row?.count ?? 0
}

/** Returns its GUID. */
export async function insertOverlay(tx: Tx, overlay: typeof overlays.$inferInsert): Promise<string> {
  const [row] = await tx.session.orm.insert(overlays).values(overlay).returning({ guid: overlays.guid })
  return (row as { readonly guid: string }).guid
}

export async function updateOverlay(
  tx: Tx,
  guid: string,
  changes: Partial<Pick<Overlay, 'name' | 'access'>>,
  now: Date,
): Promise<void> {
  await tx.session.orm
    .update(overlays)
    .set({ ...changes, updatedAt: now })
    .where(eq(overlays.guid, guid))
}

export async function deleteOverlay(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(overlays).where(eq(overlays.guid, guid))
}

/** Adds and removes editors. The others keep the time at which they were added. */
export async function changeEditors(
  tx: Tx,
  overlayGuid: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  now: Date,
): Promise<void> {
  const { orm } = tx.session
  if (removed.length > 0) {
    await orm
      .delete(overlayEditors)
      .where(and(eq(overlayEditors.overlayGuid, overlayGuid), inArray(overlayEditors.userGuid, [...removed])))
  }
  if (added.length > 0) {
    await orm.insert(overlayEditors).values(added.map((userGuid) => ({ overlayGuid, userGuid, addedAt: now })))
  }
}

const pointed = statement('overlays.pointed', (orm) =>
  orm
    .select({ overlayGuid: overlayControls.overlayGuid, guid: matches.guid, number: matches.number })
    .from(overlayControls)
    .innerJoin(matches, eq(matches.guid, overlayControls.matchGuid))
    .where(sql`${overlayControls.overlayGuid} = any(${sql.placeholder('overlays')}::uuid[])`),
)

/** Returns the matches that overlays point at, by GUID of the overlay. */
export async function listPointed(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, PointedMatch>> {
  if (guids.length === 0) return new Map()
  const rows = await pointed(db, { overlays: guids })
  return new Map(rows.map(({ overlayGuid, ...match }) => [overlayGuid, match]))
}

/** Stored documents begin with their canvas, so the rest of them need not be read. */
const ofCanvas = (member: 'width' | 'height') =>
  sql<number>`substring(left(${overlayVersions.document}, 200) from ${sql.raw(`'"${member}":([0-9]+)'`)})::int`

const canvases = statement('overlays.published_canvases', (orm) =>
  orm
    .select({
      overlayGuid: overlayDrafts.overlayGuid,
      canvas: { width: ofCanvas('width'), height: ofCanvas('height') },
    })
    .from(overlayDrafts)
    .innerJoin(
      overlayVersions,
      and(
        eq(overlayVersions.overlayGuid, overlayDrafts.overlayGuid),
        eq(overlayVersions.number, overlayDrafts.publishedVersion),
      ),
    )
    .where(sql`${overlayDrafts.overlayGuid} = any(${sql.placeholder('overlays')}::uuid[])`),
)

/** Returns the canvases of published documents, by GUID of the overlay. */
export async function listPublishedCanvases(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Canvas>> {
  if (guids.length === 0) return new Map()
  const rows = await canvases(db, { overlays: guids })
  return new Map(rows.map(({ overlayGuid, canvas }) => [overlayGuid, canvas]))
}

/** Returns the stored document of a user's own template. */
export async function findTemplateOf(db: Db, user: string, guid: string): Promise<string | undefined> {
  const [row] = await db.session.orm
    .select({ document: overlayTemplates.document })
    .from(overlayTemplates)
    .where(and(eq(overlayTemplates.guid, guid), eq(overlayTemplates.userGuid, user)))
  return row?.document
}
