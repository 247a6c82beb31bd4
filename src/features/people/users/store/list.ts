import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { identities, isFindable, users } from '../tables.ts'
import { isOutsideRehearsals } from './users.ts'

/**
 * Lists one page of users, newest first, with one row beyond `limit`. `q` is the beginning of either name, ignoring
 * case, or a complete linked or chat-platform ID.
 */
export async function listUsers(
  db: Db,
  filter: {
    readonly q?: string | undefined
    readonly withPlaceholders?: boolean
    readonly after?: MakingPosition | undefined
    readonly limit: number
  },
): Promise<{ guid: string; createdAt: Date }[]> {
  const { q, withPlaceholders = false, after, limit } = filter
  const listed = withPlaceholders ? and(isNull(users.anonymisedAt), isOutsideRehearsals) : isFindable(users)
  return db.session.orm
    .select({ guid: users.guid, createdAt: users.createdAt })
    .from(users)
    .where(and(listed, q === undefined ? undefined : await matching(db, q), madeBefore(users, after)))
    .orderBy(desc(users.createdAt), desc(users.guid))
    .limit(limit + 1)
}

const fewMatches = 500
const q = sql.placeholder('q')

/**
 * Written as a range, so that the index is used even if the plan is made before the prefix is known. No character sorts
 * after U+10FFFF.
 */
function startsLike(name: typeof users.username | typeof users.preferredName) {
  return sql`lower(${name}) ~>=~ lower(${q}) and lower(${name}) ~<~ (lower(${q}) || chr(1114111))`
}

const matchesOf = statement('users.matches', (orm) =>
  orm.select({ guid: sql<string>`match.guid` }).from(sql`(
    (select ${users.guid} as guid from ${users} where ${startsLike(users.username)} limit ${fewMatches + 1})
    union
    (select ${users.guid} from ${users} where ${startsLike(users.preferredName)} limit ${fewMatches + 1})
    union
    (select ${users.guid} from ${users} where ${users.chatPlatformId} = ${q})
    union
    (select ${identities.userGuid} from ${identities} where ${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.externalId} = ${q} and ${identities.verifiedAt} is not null)
  ) as match`),
)

/** Selects a few matches by GUID. If there are many, a scan in the order of the list soon fills a page. */
async function matching(db: Db, q: string): Promise<SQL | undefined> {
  const matches = await matchesOf(db, { q })
  if (matches.length <= fewMatches)
    return sql`${users.guid} = any(${sql.param(matches.map(({ guid }) => guid))}::uuid[])`
  return or(
    sql`starts_with(lower(${users.username}), lower(${q}))`,
    sql`starts_with(lower(${users.preferredName}), lower(${q}))`,
    eq(users.chatPlatformId, q),
    sql`${users.guid} in (select ${identities.userGuid} from ${identities} where ${identities.platform} in ('ranking-a', 'ranking-b') and ${identities.externalId} = ${q} and ${identities.verifiedAt} is not null)`,
  )
}
