import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { identities, users } from '../../features/people/users/tables.ts'
import { type Db, statement } from '../../infra/db/database.ts'

/** The data of a user that the pages show. */
export interface Person {
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
}

const byGuid = statement('oauth.person', (orm) =>
  orm
    .select({ username: users.username, preferredName: users.preferredName, avatarUrl: users.avatarUrl })
    .from(users)
    .where(eq(users.guid, sql.placeholder('guid'))),
)

export async function loadPerson(db: Db, guid: string): Promise<Person> {
  const [person] = await byGuid(db, { guid })
  if (person === undefined) throw new Error('there is no such user')
  return person
}

/** The account that a user plays with, named as other servers name it. */
export interface GameAccount {
  readonly platform: 'scoresaber' | 'beatleader'
  readonly platformId: string
}

const gameAccountOf = statement('oauth.game_account', (orm) =>
  orm
    .select({ platform: identities.platform, platformId: identities.externalId })
    .from(identities)
    .where(
      and(
        eq(identities.userGuid, sql.placeholder('guid')),
        inArray(identities.platform, ['ranking-a', 'ranking-b']),
        isNotNull(identities.verifiedAt),
      ),
    )
    .orderBy(asc(identities.platform))
    .limit(1),
)

/** A verified game account of the user; ranking platform A takes precedence over B. (AS2) */
export async function findGameAccount(db: Db, guid: string): Promise<GameAccount | undefined> {
  const [row] = await gameAccountOf(db, { guid })
  if (row === undefined) return undefined
  return { platform: row.platform === 'ranking-a' ? 'scoresaber' : 'beatleader', platformId: row.platformId }
}
