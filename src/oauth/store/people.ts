import { eq, sql } from 'drizzle-orm'
import { users } from '../../features/people/users/tables.ts'
import { type Db, statement } from '../../infra/db/database.ts'

/** Of users, what the pages show. */
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
