import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import { identities, users } from '../tables.ts'
import type { NewPlaceholder, PlacedPerson } from '../types.ts'

/**
 * Inserts placeholders by one statement, with their ranking accounts as unverified claims. Returns how many
 * were inserted: none for a chat account that has a user.
 */
export async function insertPlaceholders(
  tx: Tx,
  people: readonly (NewPlaceholder & { readonly guid: string })[],
  origin: { readonly tournamentGuid: string; readonly avatarUrl: string },
): Promise<number> {
  const given = JSON.stringify(people)
  const { rowCount } = await tx.session.orm.execute(sql`
    insert into ${users} (guid, chat_platform_id, username, preferred_name, avatar_url, is_placeholder, made_by_tournament_guid)
    select p.guid, coalesce(p."chatPlatformId", 'placeholder:' || p.guid), p.name, p.name, ${origin.avatarUrl}, true, ${origin.tournamentGuid}
    from jsonb_to_recordset(${given}::jsonb) as p (guid uuid, "chatPlatformId" text, name text)
    on conflict (chat_platform_id) do nothing`)
  await tx.session.orm.execute(sql`
    insert into ${identities} (user_guid, platform, external_id)
    select u.guid, link.platform, link.external_id
    from jsonb_to_recordset(${given}::jsonb) as p (guid uuid, "rankingIdA" text, "rankingIdB" text)
    join ${users} u on u.guid = p.guid
    cross join lateral (values ('ranking-a', p."rankingIdA"), ('ranking-b', p."rankingIdB")) as link (platform, external_id)
    where link.external_id is not null`)
  return rowCount ?? 0
}

/**
 * Inserts the people of an imported tournament by one statement. A chat ID that no user has is kept as one
 * from a sheet; where a user has it, the place waits for that account. (P6)
 */
export async function insertPlacedPeople(
  tx: Tx,
  people: readonly PlacedPerson[],
  origin: { readonly tournamentGuid: string; readonly avatarUrl: string },
): Promise<void> {
  await tx.session.orm.execute(sql`
    with p as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as p (guid uuid, name text, "chatPlatformId" text, country text)
    ), free as (
      insert into ${users} (guid, chat_platform_id, username, preferred_name, country, avatar_url, is_placeholder,
        made_by_tournament_guid)
      select p.guid, coalesce(p."chatPlatformId", 'placeholder:' || p.guid), p.name, p.name, p.country,
        ${origin.avatarUrl}, true, ${origin.tournamentGuid} from p
      on conflict (chat_platform_id) do nothing
      returning guid
    )
    insert into ${users} (guid, chat_platform_id, awaited_chat_id, username, preferred_name, country, avatar_url,
      is_placeholder, made_by_tournament_guid)
    select p.guid, 'placeholder:' || p.guid, p."chatPlatformId", p.name, p.name, p.country,
      ${origin.avatarUrl}, true, ${origin.tournamentGuid}
    from p where p.guid not in (select guid from free)`)
}

/** The tournament whose import made the placeholder. */
export async function findMaker(db: Db, guid: string): Promise<string | null> {
  const [row] = await db.session.orm
    .select({ tournamentGuid: users.madeByTournamentGuid })
    .from(users)
    .where(eq(users.guid, guid))
  return row?.tournamentGuid ?? null
}

function namelessAt(now: Date) {
  return {
    ...{ username: 'deleted-user', preferredName: 'Deleted user', country: null, anonymisedAt: now, updatedAt: now },
    chatPlatformId: sql`'deleted:' || ${users.guid}`,
  }
}

/** Removes what is known of placeholders who stay where they are. */
export async function forgetNames(tx: Tx, guids: readonly string[], now: Date): Promise<void> {
  if (guids.length === 0) return
  await tx.session.orm
    .update(users)
    .set(namelessAt(now))
    .where(and(inArray(users.guid, [...guids]), users.isPlaceholder))
  await tx.session.orm.delete(identities).where(inArray(identities.userGuid, [...guids]))
}

/** Gives placeholders the name and country that the people have now whose places they have. */
export async function takeNames(
  tx: Tx,
  places: readonly { readonly placeholder: string; readonly of: string }[],
): Promise<void> {
  if (places.length === 0) return
  await tx.session.orm.execute(sql`
    update ${users} p set username = o.preferred_name, preferred_name = o.preferred_name, country = o.country
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given (placeholder uuid, "of" uuid)
    join ${users} o on o.guid = given."of"
    where p.guid = given.placeholder`)
}

/**
 * Removes what is known of placeholders whose tournament is deleted, unless they are in a team of another one. Call it
 * once the tournament's teams are deleted.
 */
export async function forgetPlaceholdersOf(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  const { orm } = tx.session
  const forgotten = await orm
    .update(users)
    .set(namelessAt(now))
    .where(
      sql`${users.madeByTournamentGuid} = ${tournamentGuid} and ${users.isPlaceholder} and ${users.anonymisedAt} is null
        and not exists (select from ${teamMembers} where ${teamMembers.userGuid} = ${users.guid})`,
    )
    .returning({ guid: users.guid })
  // Those that accounts have taken over are gone already, but for this.
  await orm
    .update(users)
    .set({ awaitedChatId: null })
    .where(sql`${users.madeByTournamentGuid} = ${tournamentGuid} and ${users.awaitedChatId} is not null`)
  const guids = forgotten.map(({ guid }) => guid)
  await orm.delete(identities).where(inArray(identities.userGuid, guids))
}
