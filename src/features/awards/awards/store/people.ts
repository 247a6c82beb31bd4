import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { listings } from '../../../tournaments/tournaments/tables.ts'
import type { Person } from '../rules/eligibility.ts'

/** The facts that decide who may take part, for the existing accounts, by GUID. (A2; D48, D50) */
export async function listPeople(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  const verifiedOn = (platform: 'ranking-a' | 'ranking-b') =>
    sql<Date | null>`(select ${identities.verifiedAt} from ${identities}
      where ${identities.userGuid} = ${users.guid} and ${identities.platform} = ${platform})`.mapWith(
      identities.verifiedAt,
    )
  const rows = await db.session.orm
    .select({
      guid: users.guid,
      createdAt: users.createdAt,
      bannedAt: users.bannedAt,
      isBot: users.isBot,
      onA: verifiedOn('ranking-a'),
      onB: verifiedOn('ranking-b'),
      tournamentsPlayed: sql<number>`(select count(*)::int from ${appearances} where ${appearances.userGuid} = ${users.guid}
        and exists (select from ${listings} where ${listings.tournamentGuid} = ${appearances.tournamentGuid} offset 0))`,
    })
    .from(users)
    .where(sql`${users.guid} = any(${sql.param(guids)}::uuid[]) and ${users.anonymisedAt} is null`)
  return new Map(
    rows.map(({ guid, bannedAt, onA, onB, ...person }) => [
      guid,
      { ...person, isBanned: bannedAt !== null, verifiedAt: { 'ranking-a': onA, 'ranking-b': onB } },
    ]),
  )
}
