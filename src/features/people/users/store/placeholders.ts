import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { identities, users } from '../tables.ts'
import type { NewPlaceholder } from '../types.ts'

/**
 * Inserts placeholders by one statement, with their ranking accounts as claims that nobody has verified. Returns the
 * GUIDs of those with a chat account by its ID.
 */
export async function insertPlaceholders(
  tx: Tx,
  people: readonly (NewPlaceholder & { readonly guid: string })[],
  origin: { readonly tournamentGuid: string; readonly avatarUrl: string },
): Promise<ReadonlyMap<string, string>> {
  const given = JSON.stringify(people)
  const { rows } = await tx.session.orm.execute<{ guid: string; id: string }>(sql`
    insert into ${users} (guid, chat_platform_id, username, preferred_name, avatar_url, is_placeholder, made_by_tournament_guid)
    select p.guid, coalesce(p."chatPlatformId", 'placeholder:' || p.guid), p.name, p.name, ${origin.avatarUrl}, true, ${origin.tournamentGuid}
    from jsonb_to_recordset(${given}::jsonb) as p (guid uuid, "chatPlatformId" text, name text)
    on conflict (chat_platform_id) do update set chat_platform_id = excluded.chat_platform_id
    returning guid, chat_platform_id as id`)
  await tx.session.orm.execute(sql`
    insert into ${identities} (user_guid, platform, external_id)
    select u.guid, link.platform, link.external_id
    from jsonb_to_recordset(${given}::jsonb) as p (guid uuid, "rankingIdA" text, "rankingIdB" text)
    join ${users} u on u.guid = p.guid
    cross join lateral (values ('ranking-a', p."rankingIdA"), ('ranking-b', p."rankingIdB")) as link (platform, external_id)
    where link.external_id is not null`)
  return new Map(rows.map(({ guid, id }) => [id, guid]))
}
