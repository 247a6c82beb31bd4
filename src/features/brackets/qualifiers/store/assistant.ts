import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { assistantLinks } from '../../../assistant/assistantLinks/tables.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { playKey, type SamePlay } from '../rules/assistant.ts'
import { statusAt } from '../rules/status.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'

const byPlatformId = statement('qualifiers.players_by_platform_id', (orm) =>
  orm
    .selectDistinctOn([identities.externalId], { platformId: identities.externalId, userGuid: identities.userGuid })
    .from(identities)
    .innerJoin(users, eq(users.guid, identities.userGuid))
    .where(
      and(
        sql`${identities.externalId} = any(${sql.placeholder('platformIds')}::text[])`,
        sql`${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.verifiedAt} is not null`,
        isNull(users.bannedAt),
        isNull(users.anonymisedAt),
      ),
    )
    // In the order in which identifiers resolve. (D6)
    .orderBy(identities.externalId, identities.platform),
)

/** Users by their accounts on ranking platforms; only verified accounts count. (AS7, AS22; D24) */
export async function findPlayers(db: Db, platformIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (platformIds.length === 0) return new Map()
  const rows = await byPlatformId(db, { platformIds: [...new Set(platformIds)] })
  return new Map(rows.map(({ platformId, userGuid }) => [platformId, userGuid]))
}

const knownPlays = statement('qualifiers.known_plays', (orm) =>
  orm
    .selectDistinct({
      userGuid: attempts.userGuid,
      mapGuid: attempts.mapGuid,
      score: attempts.score,
      misses: sql<number>`${attempts.misses}`,
      badCuts: sql<number>`${attempts.badCuts}`,
      maxCombo: sql<number>`${attempts.maxCombo}`,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')),
        sql`${attempts.userGuid} = any(${sql.placeholder('userGuids')}::uuid[])`,
        eq(attempts.source, 'assistant'),
        ne(attempts.completion, 'placeholder'),
        sql`num_nulls(${attempts.misses}, ${attempts.badCuts}, ${attempts.maxCombo}) = 0`,
      ),
    ),
)

/** The attempts of these players that came from the assistant, including void ones, by `playKey`. (AS22) */
export async function listKnownPlays(
  db: Db,
  qualifierGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userGuids.length === 0) return new Set()
  return new Set((await knownPlays(db, { qualifierGuid, userGuids: [...new Set(userGuids)] })).map(playKey))
}

/** Boards that have counting attempts: `{event}:{map}`. */
export async function listCountedBoards(db: Db, qualifierGuid: string): Promise<ReadonlySet<string>> {
  const board = sql<string>`split_part(${attempts.externalId}, ':', 1) || ':' || split_part(${attempts.externalId}, ':', 2)`
  const rows = await db.session.orm
    .selectDistinct({ board })
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, qualifierGuid),
        eq(attempts.source, 'assistant'),
        isNull(attempts.voidedAt),
        ne(attempts.completion, 'placeholder'),
        sql`${attempts.externalId} is not null`,
      ),
    )
  return new Set(rows.map((row) => row.board))
}

export interface Announced {
  readonly guid: string
  readonly externalId: string
  readonly playedAt: Date
  readonly isOpen: boolean
}

/** Placeholders of a player on a map, oldest first. */
export async function listPlaceholders(
  tx: Tx,
  qualifierGuid: string,
  { userGuid, mapGuid }: Pick<SamePlay, 'userGuid' | 'mapGuid'>,
): Promise<readonly Announced[]> {
  const rows = await tx.session.orm
    .select({
      guid: attempts.guid,
      externalId: attempts.externalId,
      playedAt: attempts.playedAt,
      isOpen: sql<boolean>`${attempts.voidedAt} is null`,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, qualifierGuid),
        eq(attempts.userGuid, userGuid),
        eq(attempts.mapGuid, mapGuid),
        eq(attempts.source, 'assistant'),
        eq(attempts.completion, 'placeholder'),
      ),
    )
    .orderBy(attempts.createdAt, sql`length(${attempts.externalId})`, attempts.externalId)
  return rows.flatMap(({ externalId, ...row }) => (externalId === null ? [] : [{ ...row, externalId }]))
}

/**
 * Tournaments whose qualifier is open and whose link names events of the assistant. (AS24)
 * @param tournamentGuid the only tournament to check; all if left out
 */
export async function listWatched(db: Db, tournamentGuid?: string): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({
      tournamentGuid: qualifiers.tournamentGuid,
      status: qualifiers.status,
      openedAt: qualifiers.openedAt,
      opensAt: qualifiers.opensAt,
      closesAt: qualifiers.closesAt,
      now: sql<Date>`clock_timestamp()`.mapWith(qualifiers.createdAt),
    })
    .from(assistantLinks)
    .innerJoin(qualifiers, eq(qualifiers.tournamentGuid, assistantLinks.tournamentGuid))
    .innerJoin(tournaments, eq(tournaments.guid, assistantLinks.tournamentGuid))
    .where(
      and(
        tournamentGuid === undefined ? undefined : eq(qualifiers.tournamentGuid, tournamentGuid),
        eq(assistantLinks.enabled, true),
        gt(sql`cardinality(${assistantLinks.qualifierEvents})`, 0),
        sql`${qualifiers.status} in ('draft', 'open')`,
        ne(tournaments.status, 'cancelled'),
      ),
    )
  return rows.filter(({ now, ...moving }) => statusAt(moving, now) === 'open').map((row) => row.tournamentGuid)
}

/** The user in whose name reported results are recorded: the user that the link acts as, else the organiser. */
export async function findRecorder(db: Db, tournamentGuid: string) {
  const [row] = await db.session.orm
    .select({
      status: tournaments.status,
      recorderGuid: sql<string>`coalesce(${assistantLinks.actsAs}, ${tournaments.organiserGuid})`,
    })
    .from(tournaments)
    .innerJoin(assistantLinks, eq(assistantLinks.tournamentGuid, tournaments.guid))
    .where(eq(tournaments.guid, tournamentGuid))
  return row
}

/** The verified accounts of a player on ranking platforms, in the order in which identifiers resolve. (D6) */
export async function listPlatformIds(db: Db, userGuid: string): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({ id: identities.externalId })
    .from(identities)
    .where(
      and(
        eq(identities.userGuid, userGuid),
        sql`${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.verifiedAt} is not null`,
      ),
    )
    .orderBy(identities.platform)
  return rows.map(({ id }) => id)
}
