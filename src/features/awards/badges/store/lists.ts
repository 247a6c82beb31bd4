import { and, desc, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import { isGuid } from '../../../../core/ids.ts'
import { isCursorInstant, type MakingPosition, type Position } from '../../../../core/page.ts'
import { formatInstant } from '../../../../core/time.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { awardCategories, awardEditions } from '../../awards/tables.ts'
import { badgeGrants, badges } from '../tables.ts'
import type { Badge, BadgeKind, Grant, HeldBadge } from '../types.ts'

const { importDigest: _known, ...badgeColumns } = getTableColumns(badges)
const { grantedBy: _giver, ...grantColumns } = getTableColumns(badgeGrants)

export interface BadgeFilter {
  /** A part of the name; case does not matter. */
  readonly q?: string | undefined
  readonly tournamentGuid?: string | undefined
  readonly kind?: BadgeKind | undefined
}

interface Page<Position> {
  readonly after?: Position | undefined
  readonly limit: number
}

/** Newest first; up to `limit` + 1. */
export async function listBadges(
  db: Db,
  { q, tournamentGuid, kind }: BadgeFilter,
  { after, limit }: Page<MakingPosition>,
): Promise<Badge[]> {
  return db.session.orm
    .select(badgeColumns)
    .from(badges)
    .where(
      and(
        q === undefined ? undefined : sql`strpos(lower(${badges.name}), lower(${q})) > 0`,
        tournamentGuid === undefined ? undefined : eq(badges.tournamentGuid, tournamentGuid),
        kind === undefined ? undefined : eq(badges.kind, kind),
        madeBefore(badges, after),
      ),
    )
    .orderBy(desc(badges.createdAt), desc(badges.guid))
    .limit(limit + 1)
}

/** The holders of a badge, newest first; up to `limit` + 1. */
export async function listHolders(
  db: Db,
  badgeGuid: string,
  isWithHidden: boolean,
  { after, limit }: Page<MakingPosition>,
): Promise<Grant[]> {
  return db.session.orm
    .select(grantColumns)
    .from(badgeGrants)
    .where(and(eq(badgeGrants.badgeGuid, badgeGuid), isShown(isWithHidden), madeBefore(badgeGrants, after)))
    .orderBy(desc(badgeGrants.createdAt), desc(badgeGrants.guid))
    .limit(limit + 1)
}

function isShown(isWithHidden: boolean): SQL | undefined {
  return and(isNull(badgeGrants.revokedAt), isWithHidden ? undefined : eq(badgeGrants.hidden, false))
}

/** Sorts after every position that a holder can set. */
const lastPosition = 32_767

/** The position at which a user's list continues: the grant's position, the time of the award, and its GUID. */
export type HeldPosition = readonly [position: number, awardedAt: string, guid: string]

export function heldPosition({ grant: { position, awardedAt, guid } }: HeldBadge): HeldPosition {
  return [position ?? lastPosition, formatInstant(awardedAt), guid]
}

export function isHeldPosition(given: Position): given is HeldPosition {
  const [position, awardedAt, guid] = given
  const isPlace = typeof position === 'number' && position >= 0 && position <= lastPosition
  return given.length === 3 && isPlace && isCursorInstant(awardedAt) && typeof guid === 'string' && isGuid(guid)
}

const position = sql<number>`coalesce(${badgeGrants.position}, ${sql.raw(String(lastPosition))})`
const heldColumns = {
  grant: grantColumns,
  badge: {
    guid: badges.guid,
    name: badges.name,
    description: badges.description,
    kind: badges.kind,
    imageUrl: badges.imageUrl,
    tournamentGuid: badges.tournamentGuid,
  },
}

/** A user's badges: first in the order that the user chose, then newest first; up to `limit` + 1. (B2) */
export async function listHeld(
  db: Db,
  userGuid: string,
  isWithHidden: boolean,
  { after, limit }: Page<HeldPosition>,
): Promise<HeldBadge[]> {
  return db.session.orm
    .select(heldColumns)
    .from(badgeGrants)
    .innerJoin(badges, eq(badges.guid, badgeGrants.badgeGuid))
    .where(and(eq(badgeGrants.userGuid, userGuid), isShown(isWithHidden), isBehind(after)))
    .orderBy(position, desc(badgeGrants.awardedAt), desc(badgeGrants.guid))
    .limit(limit + 1)
}

function isBehind(after: HeldPosition | undefined): SQL | undefined {
  if (after === undefined) return undefined
  const [place, awardedAt, guid] = after
  return or(
    sql`${position} > ${place}`,
    sql`${position} = ${place} and (${badgeGrants.awardedAt}, ${badgeGrants.guid}) < (${awardedAt}::timestamptz, ${guid}::uuid)`,
  )
}

const firstOf = statement('badges.first_of_users', (orm) =>
  orm
    .select(heldColumns)
    .from(
      sql`unnest(${sql.placeholder('userGuids')}::uuid[]) as wanted (guid) cross join lateral (
        select ${badgeGrants.guid} as guid from ${badgeGrants}
        where ${badgeGrants.userGuid} = wanted.guid and ${badgeGrants.revokedAt} is null
          and (${sql.placeholder('isWithHidden')}::boolean or not ${badgeGrants.hidden})
        order by ${position}, ${badgeGrants.awardedAt} desc, ${badgeGrants.guid} desc
        limit ${sql.placeholder('limit')}
      ) as held`,
    )
    .innerJoin(badgeGrants, eq(badgeGrants.guid, sql`held.guid`))
    .innerJoin(badges, eq(badges.guid, badgeGrants.badgeGuid))
    .orderBy(position, desc(badgeGrants.awardedAt), desc(badgeGrants.guid)),
)

/** The first `limit` badges of each user, in the same order. (B2) */
export async function listFirstHeld(
  db: Db,
  userGuids: readonly string[],
  isWithHidden: boolean,
  limit: number,
): Promise<HeldBadge[]> {
  return userGuids.length === 0 ? [] : firstOf(db, { userGuids, isWithHidden, limit })
}

export interface NamedEdition {
  readonly guid: string
  readonly id: string
  /** Whether others than managers may see it. (awards: States of an edition) */
  readonly isPublic: boolean
}

/**
 * Ids of the editions that are neither published nor cancelled and have a category that gives the badge; at most ten.
 * (D80)
 */
export async function listOpenAwardsWith(tx: Tx, badgeGuid: string): Promise<readonly string[]> {
  const rows = await tx.session.orm
    .selectDistinct({ id: awardEditions.id })
    .from(awardCategories)
    .innerJoin(awardEditions, eq(awardEditions.guid, awardCategories.editionGuid))
    .where(
      and(eq(awardCategories.badgeGuid, badgeGuid), sql`${awardEditions.status} not in ('published', 'cancelled')`),
    )
    .orderBy(awardEditions.id)
    .limit(10)
  return rows.map(({ id }) => id)
}

/** The award editions in which badges were given, by GUID. */
export async function listEditions(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, NamedEdition>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({
      guid: awardEditions.guid,
      id: awardEditions.id,
      isPublic: sql<boolean>`${awardEditions.status} not in ('draft', 'cancelled')`,
    })
    .from(awardEditions)
    .where(sql`${awardEditions.guid} = any(${sql.param([...new Set(guids)])}::uuid[])`)
  return new Map(rows.map((row) => [row.guid, row]))
}
