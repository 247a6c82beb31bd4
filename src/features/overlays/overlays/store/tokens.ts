import { and, asc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { View } from '../../../../core/actor.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { overlays, overlayTokens } from '../tables.ts'
import type { ShownOverlay, ViewToken } from '../types.ts'

/** The overlay that a view token shows, and when the token expires. */
export interface Sight {
  readonly view: View
  readonly expiresAt: Date | null
  /** Rounded down to the hour. */
  readonly lastUsedAt: Date | null
}

const sight = {
  view: {
    tokenGuid: overlayTokens.guid,
    overlayGuid: overlayTokens.overlayGuid,
    tournamentGuid: overlays.tournamentGuid,
    preview: overlayTokens.preview,
  },
  expiresAt: overlayTokens.expiresAt,
  lastUsedAt: overlayTokens.lastUsedAt,
}

const byDigest = statement('overlay_tokens.by_digest', (orm) =>
  orm
    .select({ ...sight, digest: overlayTokens.digest })
    .from(overlayTokens)
    .innerJoin(overlays, eq(overlays.guid, overlayTokens.overlayGuid))
    .where(sql`${overlayTokens.digest} = any(${sql.placeholder('digests')}::bytea[])`),
)

/** Returns the tokens by digest, in hex. */
export async function findSightsByDigest(db: Db, digests: readonly Buffer[]): Promise<ReadonlyMap<string, Sight>> {
  if (digests.length === 0) return new Map()
  const rows = await byDigest(db, { digests })
  return new Map(rows.map(({ digest, ...found }) => [digest.toString('hex'), found]))
}

const byGuid = statement('overlay_tokens.by_guid', (orm) =>
  orm
    .select(sight)
    .from(overlayTokens)
    .innerJoin(overlays, eq(overlays.guid, overlayTokens.overlayGuid))
    .where(sql`${overlayTokens.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the tokens by GUID. */
export async function findSights(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Sight>> {
  if (guids.length === 0) return new Map()
  const rows = await byGuid(db, { guids })
  return new Map(rows.map((found) => [found.view.tokenGuid, found]))
}

/** Saves that the tokens were used in the hour. A use that is already saved for the hour stays. */
export async function noteUses(tx: Tx, guids: readonly string[], hour: Date): Promise<void> {
  await tx.session.orm
    .update(overlayTokens)
    .set({ lastUsedAt: hour })
    .where(
      and(
        inArray(overlayTokens.guid, [...guids]),
        or(isNull(overlayTokens.lastUsedAt), lt(overlayTokens.lastUsedAt, hour)),
      ),
    )
}

const shown = statement('overlays.shown', (orm) =>
  orm
    .select({
      guid: overlays.guid,
      name: overlays.name,
      tournament: { guid: tournaments.guid, id: tournaments.id },
    })
    .from(overlays)
    .innerJoin(tournaments, eq(tournaments.guid, overlays.tournamentGuid))
    .where(eq(overlays.guid, sql.placeholder('guid'))),
)

/** Returns the name and the tournament of an overlay. */
export async function findShown(db: Db, guid: string): Promise<ShownOverlay | undefined> {
  return (await shown(db, { guid }))[0]
}

const { guid, label, lastFour, preview, expiresAt, createdAt, createdBy, lastUsedAt } = overlayTokens
const columns = { guid, label, lastFour, preview, expiresAt, createdAt, createdBy, lastUsedAt }

/** An expired token counts as deleted, even if the sweep has not deleted it yet. */
const isGood = or(isNull(overlayTokens.expiresAt), gt(overlayTokens.expiresAt, sql.placeholder('now')))

const ofOverlay = statement('overlay_tokens.of_overlay', (orm) =>
  orm
    .select(columns)
    .from(overlayTokens)
    .where(and(eq(overlayTokens.overlayGuid, sql.placeholder('overlay')), isGood))
    .orderBy(asc(overlayTokens.createdAt), asc(overlayTokens.guid)),
)

/** Oldest first. */
export function listTokens(db: Db, overlay: string, now: Date): Promise<ViewToken[]> {
  return ofOverlay(db, { overlay, now })
}

export async function insertToken(tx: Tx, token: typeof overlayTokens.$inferInsert): Promise<ViewToken> {
  const [row] = await tx.session.orm.insert(overlayTokens).values(token).returning(columns)
  return row as ViewToken
}

/** Returns the deleted token; undefined if there was none. */
export async function deleteToken(tx: Tx, overlay: string, token: string): Promise<ViewToken | undefined> {
  const [row] = await tx.session.orm
    .delete(overlayTokens)
    .where(and(eq(overlayTokens.overlayGuid, overlay), eq(overlayTokens.guid, token)))
    .returning(columns)
  return row
}

/** Returns the GUIDs of all tokens, expired ones included. */
export async function listTokenGuids(db: Db, overlay: string): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({ guid: overlayTokens.guid })
    .from(overlayTokens)
    .where(eq(overlayTokens.overlayGuid, overlay))
  return rows.map((row) => row.guid)
}

/** Deletes at most `limit` expired tokens. Returns the number deleted. */
export async function deleteExpiredTokens(tx: Tx, now: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ guid: overlayTokens.guid })
    .from(overlayTokens)
    .where(lt(overlayTokens.expiresAt, now))
    .limit(limit)
  const rows = await orm.delete(overlayTokens).where(inArray(overlayTokens.guid, expired)).returning({ guid })
  return rows.length
}
