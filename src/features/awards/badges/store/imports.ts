import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { badgeGrants, badgeImports, badges } from '../tables.ts'
import type { Badge, BadgeImport, RankedUser } from '../types.ts'

const { importDigest: _known, ...badgeColumns } = getTableColumns(badges)

/** Locks imports against each other, so that two do not make the same badge. */
export async function lockImporting(tx: Tx): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended('badges.import', 0))`)
}

export async function findImport(db: Db, guid: string): Promise<BadgeImport | undefined> {
  const [row] = await db.session.orm.select().from(badgeImports).where(eq(badgeImports.guid, guid))
  return row
}

export async function lockImport(tx: Tx, guid: string): Promise<BadgeImport | undefined> {
  const [row] = await tx.session.orm.select().from(badgeImports).where(eq(badgeImports.guid, guid)).for('update')
  return row
}

export async function findRunning(db: Db): Promise<BadgeImport | undefined> {
  const [row] = await db.session.orm.select().from(badgeImports).where(eq(badgeImports.status, 'running'))
  return row
}

export async function insertImport(tx: Tx, row: Omit<BadgeImport, 'guid'>): Promise<BadgeImport> {
  const [inserted] = await tx.session.orm.insert(badgeImports).values(row).returning()
  if (inserted === undefined) throw new Error('an inserted import was not returned')
  return inserted
}

export async function updateImport(
  tx: Tx,
  guid: string,
  changes: Partial<Pick<BadgeImport, 'status' | 'report' | 'finishedAt'>>,
): Promise<void> {
  await tx.session.orm.update(badgeImports).set(changes).where(eq(badgeImports.guid, guid))
}

/** Deletes up to `limit` finished imports that began before a date. */
export async function deleteImportsBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ guid: badgeImports.guid })
    .from(badgeImports)
    .where(and(lt(badgeImports.createdAt, before), isNotNull(badgeImports.finishedAt)))
    .limit(limit)
  const rows = await tx.session.orm.delete(badgeImports).where(inArray(badgeImports.guid, old)).returning()
  return rows.length
}

const isRanked = and(
  eq(identities.platform, 'ranking-a'),
  isNotNull(identities.verifiedAt),
  isNull(users.anonymisedAt),
  isNull(users.bannedAt),
)

function selectRanked(db: Db) {
  return db.session.orm
    .select({ userGuid: identities.userGuid, externalId: identities.externalId })
    .from(identities)
    .innerJoin(users, eq(users.guid, identities.userGuid))
}

/** The given users who have a verified account on platform A and are not banned. (D50) */
export async function listRanked(db: Db, guids: readonly string[]): Promise<RankedUser[]> {
  if (guids.length === 0) return []
  return selectRanked(db).where(and(isRanked, sql`${identities.userGuid} = any(${sql.param([...guids])}::uuid[])`))
}

/** The next users of all, ordered by their account on the platform. */
export async function listNextRanked(db: Db, after: string | null, limit: number): Promise<RankedUser[]> {
  return selectRanked(db)
    .where(and(isRanked, after === null ? undefined : gt(identities.externalId, after)))
    .orderBy(asc(identities.externalId))
    .limit(limit)
}

/** Badges that were imported before, by their digest in hex. */
export async function listByDigest(db: Db, digests: readonly string[]): Promise<ReadonlyMap<string, Badge>> {
  if (digests.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ ...badgeColumns, digest: sql<string>`encode(${badges.importDigest}, 'hex')` })
    .from(badges)
    .where(
      inArray(
        badges.importDigest,
        digests.map((digest) => Buffer.from(digest, 'hex')),
      ),
    )
  return new Map(rows.map(({ digest, ...badge }) => [digest, badge]))
}

export interface Pair {
  readonly badgeGuid: string
  readonly userGuid: string
  readonly isRevoked: boolean
}

/** The pairs of the given users and badges for which a grant exists, held or revoked. */
export async function listPairs(db: Db, badgeGuids: readonly string[], userGuids: readonly string[]): Promise<Pair[]> {
  if (badgeGuids.length === 0 || userGuids.length === 0) return []
  return db.session.orm
    .select({
      badgeGuid: badgeGrants.badgeGuid,
      userGuid: badgeGrants.userGuid,
      isRevoked: sql<boolean>`${badgeGrants.revokedAt} is not null`,
    })
    .from(badgeGrants)
    .where(
      sql`${badgeGrants.badgeGuid} = any(${sql.param([...badgeGuids])}::uuid[])
        and ${badgeGrants.userGuid} = any(${sql.param([...userGuids])}::uuid[])`,
    )
}

const maxOfName = 2

/**
 * Badges with exactly these names, up to a few for each name: a name that several badges have is ambiguous. Badges that
 * are not retired come first.
 */
export async function listByName(db: Db, names: readonly string[]): Promise<Badge[]> {
  if (names.length === 0) return []
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select found.guid from unnest(${sql.param([...names])}::text[]) as wanted (name)
    cross join lateral (
      select b.guid from ${badges} b where lower(b.name) = lower(wanted.name) and b.name = wanted.name
      order by b.retired_at is not null, b.guid limit ${maxOfName}) found`)
  return listBadgesByGuid(
    db,
    rows.map(({ guid }) => guid),
  )
}

export async function listBadgesByGuid(db: Db, guids: readonly string[]): Promise<Badge[]> {
  if (guids.length === 0) return []
  return db.session.orm
    .select(badgeColumns)
    .from(badges)
    .where(sql`${badges.guid} = any(${sql.param([...guids])}::uuid[])`)
}

/** Locks several badges, always in the same order. Returns the existing ones by GUID. */
export async function lockBadges(tx: Tx, guids: readonly string[]): Promise<ReadonlyMap<string, Badge>> {
  if (guids.length === 0) return new Map()
  const rows = await tx.session.orm
    .select(badgeColumns)
    .from(badges)
    .where(sql`${badges.guid} = any(${sql.param([...guids])}::uuid[])`)
    .orderBy(badges.guid)
    .for('update')
  return new Map(rows.map((badge) => [badge.guid, badge]))
}
