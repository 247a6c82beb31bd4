import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { identities, users } from '../tables.ts'

/** Resolves several identifiers with one query per kind. (D6) */

const alive = isNull(users.anonymisedAt)
const any = sql`any(${sql.placeholder('ids')}::text[])`

const byGuids = statement('users.guids_there', (orm) =>
  orm
    .select({ guid: users.guid })
    .from(users)
    .where(and(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`, alive)),
)

const byChatPlatformIds = statement('users.guids_by_chat_platform_id', (orm) =>
  orm
    .select({ guid: users.guid, id: users.chatPlatformId })
    .from(users)
    .where(and(sql`${users.chatPlatformId} = ${any}`, alive)),
)

/** Ranking A takes precedence over ranking B. */
const byRankingIds = statement('users.guids_by_ranking_id', (orm) =>
  orm
    .select({ guid: users.guid, id: identities.externalId })
    .from(identities)
    .innerJoin(users, sql`${users.guid} = ${identities.userGuid}`)
    .where(
      and(
        inArray(identities.platform, ['ranking-a', 'ranking-b']),
        sql`${identities.externalId} = ${any}`,
        isNotNull(identities.verifiedAt),
        alive,
      ),
    )
    .orderBy(identities.platform),
)

/** Returns the users' GUIDs by the identifier as it was given. Identifiers without a user are left out. (D6) */
export async function listGuidsByIdentifier(
  db: Db,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const guids = identifiers.filter(isGuid).map(normaliseGuid)
  const ids = identifiers.filter((each) => /^\d{1,20}$/.test(each))
  const [there, chat, ranking] = await Promise.all([
    guids.length === 0 ? [] : byGuids(db, { guids }),
    ids.length === 0 ? [] : byChatPlatformIds(db, { ids }),
    ids.length === 0 ? [] : byRankingIds(db, { ids }),
  ])
  const known = new Map<string, string>()
  for (const { guid, id } of [...chat, ...ranking]) if (!known.has(id)) known.set(id, guid)
  for (const { guid } of there) known.set(guid, guid)
  return new Map(
    identifiers.flatMap((each) => {
      const guid = known.get(isGuid(each) ? normaliseGuid(each) : each)
      return guid === undefined ? [] : [[each, guid]]
    }),
  )
}
