import { type SQL, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { identities, isFindable, users } from '../tables.ts'

/** The first users that a search suggests; the list of users has all of them. */

const q = sql.placeholder('q')
/** A literal number for the planner: if it were a parameter, it would plan for a tenth of the users. */
const maxSuggested = 10
/** Both names of a user may match. */
const maxRows = sql.raw(`${2 * maxSuggested}`)

/** The users whose name begins with the text, in the order of the name: whose name it is comes first. */
function named(name: typeof users.username | typeof users.preferredName): SQL {
  return sql`(select ${users.guid} as guid, 1 as place, lower(${name}) as name from ${users}
    where lower(${name}) ~>=~ lower(${q}) and lower(${name}) ~<~ (lower(${q}) || chr(1114111)) and ${isFindable(users)}
    order by lower(${name}) using ~<~, ${users.guid} limit ${maxRows})`
}

const suggested = statement('users.suggested', (orm) =>
  orm
    .select({ guid: sql<string>`found.guid` })
    .from(
      sql`(select guid, min(place) as place, min(name collate "C") as name from (
        ${named(users.username)}
        union all
        ${named(users.preferredName)}
        union all
        (select ${users.guid}, 0, '' from ${users} where ${users.chatPlatformId} = ${q} and ${isFindable(users)})
        union all
        (select ${identities.userGuid}, 0, '' from ${identities}
          where ${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.externalId} = ${q}
            and ${identities.verifiedAt} is not null)
      ) each group by guid) found`,
    )
    .orderBy(sql`found.place, found.name, found.guid`)
    .limit(sql.placeholder('limit')),
)

/**
 * GUIDs of at most 10 users whose linked ID the text is, or one of whose names begins with it, in any case: as in the
 * list of users, but in the order of the names, so that the work does not grow with the number of users.
 */
export async function suggestUsers(db: Db, q: string, limit: number): Promise<readonly string[]> {
  const rows = await suggested(db, { q, limit: Math.min(limit, maxSuggested) })
  return rows.map(({ guid }) => guid)
}
