import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { type KnownAttempt, usageKey } from '../rules/recording.ts'
import { qualifierAttempts as attempts, qualifiers } from '../tables.ts'
import type { Attempt, NewAttempt } from '../types.ts'

const columns = getTableColumns(attempts)
const rowsAtOnce = 1_000

/** Inserts attempts; returns them in the given order. */
export async function insertAttempts(
  tx: Tx,
  rows: readonly NewAttempt[],
  common: { readonly qualifierGuid: string; readonly recordedByGuid: string; readonly createdAt: Date },
): Promise<Attempt[]> {
  const inserted: Attempt[] = []
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const values = rows.slice(from, from + rowsAtOnce).map((row) => ({ ...row, ...common }))
    inserted.push(...(await tx.session.orm.insert(attempts).values(values).returning(columns)))
  }
  return inserted
}

export async function deleteAttempts(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.execute(sql`
    delete from ${attempts} a using ${qualifiers} q
    where q.guid = a.qualifier_guid and q.tournament_guid = ${tournamentGuid}`)
}

export interface Voiding {
  readonly voidedAt: Date
  readonly voidReason: string
  /** null if the service made it void. */
  readonly voidedByGuid: string | null
}

export async function voidAttempts(tx: Tx, guids: readonly string[], voiding: Voiding): Promise<Attempt[]> {
  if (guids.length === 0) return []
  return tx.session.orm
    .update(attempts)
    .set(voiding)
    .where(inArray(attempts.guid, [...guids]))
    .returning(columns)
}

export async function findAttempt(db: Db, qualifierGuid: string, guid: string): Promise<Attempt | undefined> {
  const [row] = await db.session.orm
    .select(columns)
    .from(attempts)
    .where(and(eq(attempts.qualifierGuid, qualifierGuid), eq(attempts.guid, guid)))
  return row
}

export interface AttemptFilter {
  readonly mapGuid?: string | undefined
  readonly userGuid?: string | undefined
  readonly teamGuid?: string | undefined
  readonly after?: MakingPosition | undefined
  readonly limit: number
}

/** One page of the ledger, newest first, with one row more than `limit`. */
export async function listAttempts(db: Db, qualifierGuid: string, filter: AttemptFilter): Promise<Attempt[]> {
  const { mapGuid, userGuid, teamGuid, after, limit } = filter
  return db.session.orm
    .select(columns)
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, qualifierGuid),
        mapGuid === undefined ? undefined : eq(attempts.mapGuid, mapGuid),
        userGuid === undefined ? undefined : eq(attempts.userGuid, userGuid),
        teamGuid === undefined ? undefined : eq(attempts.teamGuid, teamGuid),
        madeBefore(attempts, after),
      ),
    )
    .orderBy(desc(attempts.createdAt), desc(attempts.guid))
    .limit(limit + 1)
}

const identified = statement('qualifiers.identified', (orm) =>
  orm
    .select({ identifier: sql<string>`wanted.identifier`, guid: sql<string>`found.guid` })
    .from(sql`unnest(${sql.placeholder('identifiers')}::text[]) as wanted (identifier)`)
    .innerJoin(
      // In the order in which identifiers resolve. (D6)
      sql`lateral (
        select guid from (
          select ${users.guid} as guid, 1 as place from ${users} where ${users.guid} = case when wanted.identifier ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then wanted.identifier::uuid end
            and ${users.anonymisedAt} is null and ${users.bannedAt} is null
          union all
          select ${users.guid}, 2 from ${users} where ${users.chatPlatformId} = wanted.identifier
            and ${users.anonymisedAt} is null and ${users.bannedAt} is null
          union all
          select ${users.guid}, case ${identities.platform} when 'ranking-a' then 3 else 4 end
            from ${identities} join ${users} on ${users.guid} = ${identities.userGuid}
            where ${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.externalId} = wanted.identifier
              and ${identities.verifiedAt} is not null and ${users.bannedAt} is null
        ) candidate order by place limit 1) found`,
      sql`true`,
    ),
)

/** Users by any of their identifiers. Banned users are left out, since they take part in nothing new. (D6, D24) */
export async function findUsers(db: Db, identifiers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(identifiers)]
  if (wanted.length === 0) return new Map()
  const rows = await identified(db, { identifiers: wanted })
  return new Map(rows.map(({ identifier, guid }) => [identifier, guid]))
}

const teamsOf = statement('qualifiers.teams_of', (orm) =>
  orm
    .select({ userGuid: teamMembers.userGuid, teamGuid: teamMembers.teamGuid })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .where(
      and(
        eq(teamMembers.tournamentGuid, sql.placeholder('tournamentGuid')),
        sql`${teamMembers.userGuid} = any(${sql.placeholder('userGuids')}::uuid[])`,
        inArray(teams.status, ['registered', 'qualified']),
      ),
    ),
)

/** The registered or qualified team of each user. */
export async function listTeamsOf(
  db: Db,
  tournamentGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await teamsOf(db, { tournamentGuid, userGuids: [...new Set(userGuids)] })
  return new Map(rows.map(({ userGuid, teamGuid }) => [userGuid, teamGuid]))
}

const usageOf = statement('qualifiers.usage', (orm) =>
  orm
    .select({ userGuid: attempts.userGuid, mapGuid: attempts.mapGuid, count: sql<number>`count(*)::int` })
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')),
        sql`${attempts.userGuid} = any(${sql.placeholder('userGuids')}::uuid[])`,
        sql`${attempts.voidedAt} is null`,
      ),
    )
    .groupBy(attempts.userGuid, attempts.mapGuid),
)

/** The number of attempts that users have used up, by `usageKey`. */
export async function countUsed(
  db: Db,
  qualifierGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await usageOf(db, { qualifierGuid, userGuids: [...new Set(userGuids)] })
  return new Map(rows.map((row) => [usageKey(row), row.count]))
}

const knownOf = statement('qualifiers.known', (orm) =>
  orm
    .select({
      guid: attempts.guid,
      mapGuid: attempts.mapGuid,
      userGuid: attempts.userGuid,
      teamGuid: attempts.teamGuid,
      source: attempts.source,
      externalId: attempts.externalId,
      completion: attempts.completion,
      voidedAt: attempts.voidedAt,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')),
        sql`(${attempts.source}, ${attempts.externalId}) in (select * from unnest(${sql.placeholder('sources')}::text[], ${sql.placeholder('externalIds')}::text[]))`,
      ),
    ),
)

/** The stored attempts and placeholders with these external ids. */
export async function listKnown(
  db: Db,
  qualifierGuid: string,
  ids: readonly Pick<KnownAttempt, 'source' | 'externalId'>[],
): Promise<KnownAttempt[]> {
  const named = ids.filter(({ externalId }) => externalId !== null)
  if (named.length === 0) return []
  return knownOf(db, {
    qualifierGuid,
    sources: named.map(({ source }) => source),
    externalIds: named.map(({ externalId }) => externalId),
  })
}
