import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { identities, users } from '../tables.ts'

const identified = statement('users.identified', (orm) =>
  orm
    .select({ identifier: sql<string>`wanted.identifier`, guid: sql<string>`found.guid` })
    .from(sql`unnest(${sql.placeholder('identifiers')}::text[]) as wanted (identifier)`)
    .innerJoin(
      // In the order in which identifiers resolve. (D6)
      sql`lateral (
        select guid from (
          select ${users.guid} as guid, 1 as place from ${users} where ${users.guid} = case when wanted.identifier ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then wanted.identifier::uuid end
            and ${users.anonymisedAt} is null
          union all
          select ${users.guid}, 2 from ${users} where ${users.chatPlatformId} = wanted.identifier
            and ${users.anonymisedAt} is null
          union all
          select ${users.guid}, case ${identities.platform} when 'ranking-a' then 3 else 4 end
            from ${identities} join ${users} on ${users.guid} = ${identities.userGuid}
            where ${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.externalId} = wanted.identifier
              and ${identities.verifiedAt} is not null and ${users.anonymisedAt} is null
        ) candidate order by place limit 1) found`,
      sql`true`,
    ),
)

/** Users by whatever identifiers they go by, banned ones too; in one query. Whoever is not found has no account. (D6) */
export async function identifyUsers(db: Db, identifiers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(identifiers)]
  if (wanted.length === 0) return new Map()
  const rows = await identified(db, { identifiers: wanted })
  return new Map(rows.map(({ identifier, guid }) => [identifier, guid]))
}
