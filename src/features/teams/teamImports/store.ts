import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { identities, users } from '../../people/users/tables.ts'
import { importedPeople, importedTeams } from './tables.ts'
import type { KnownPerson } from './types.ts'

/** The teams into which a sheet has put a user. */
export const teamImportsPersonalData = declarePersonalData({
  sections: {
    importedPeople: rowsOf(importedPeople, 'userGuid', {
      shows: ['tournamentGuid', 'teamGuid'],
      order: ['teamGuid'],
    }),
  },
})

export interface SheetTeam {
  readonly teamGuid: string
  readonly externalId: string | null
  readonly sheetName: string
}

/** Returns what earlier imports of the tournament called its teams, by GUID. */
export async function mapSheetTeams(db: Db, tournamentGuid: string): Promise<ReadonlyMap<string, SheetTeam>> {
  const rows = await db.session.orm
    .select({
      teamGuid: importedTeams.teamGuid,
      externalId: importedTeams.externalId,
      sheetName: importedTeams.sheetName,
    })
    .from(importedTeams)
    .where(eq(importedTeams.tournamentGuid, tournamentGuid))
  return new Map(rows.map((row) => [row.teamGuid, row]))
}

/** Returns team and digest of every mention that an earlier import of the tournament has read. */
export async function listMentions(db: Db, tournamentGuid: string): Promise<ReadonlySet<string>> {
  const rows = await db.session.orm
    .select({ teamGuid: importedPeople.teamGuid, mention: importedPeople.mention })
    .from(importedPeople)
    .where(eq(importedPeople.tournamentGuid, tournamentGuid))
  return new Set(rows.map(({ teamGuid, mention }) => `${teamGuid} ${mention}`))
}

interface Ids {
  readonly chat: readonly string[]
  readonly a: readonly string[]
  readonly b: readonly string[]
}

/**
 * Finds users by chat-platform ID, by verified ranking links, and by the ranking accounts of the tournament's own
 * placeholders.
 */
export async function mapKnownPeople(
  db: Db,
  tournamentGuid: string,
  ids: Ids,
): Promise<ReadonlyMap<string, KnownPerson>> {
  const list = (texts: readonly string[]) => sql`${sql.param([...texts])}::text[]`
  const { rows } = await db.session.orm.execute<KnownPerson & { key: string } & Record<string, unknown>>(sql`
    select found.key, u.guid, u.preferred_name as name, u.is_placeholder as "isPlaceholder", u.banned_at is not null as "isBanned"
    from (
      select 'chat:' || c.chat_platform_id as key, c.guid from ${users} c where c.chat_platform_id = any(${list(ids.chat)})
      union all
      select case i.platform when 'ranking-a' then 'a:' else 'b:' end || i.external_id, i.user_guid
      from ${identities} i join ${users} o on o.guid = i.user_guid
      where ((i.platform = 'ranking-a' and i.external_id = any(${list(ids.a)}))
          or (i.platform = 'ranking-b' and i.external_id = any(${list(ids.b)})))
        and (i.verified_at is not null or (o.is_placeholder and o.made_by_tournament_guid = ${tournamentGuid}))
    ) found
    join ${users} u on u.guid = found.guid and u.anonymised_at is null
    order by u.is_placeholder desc, u.created_at desc`)
  // Of several, a person counts before a placeholder, and the older one before the newer.
  return new Map(rows.map(({ key, ...person }) => [key, person]))
}

export async function putSheetTeams(tx: Tx, tournamentGuid: string, given: readonly SheetTeam[]): Promise<void> {
  if (given.length === 0) return
  await tx.session.orm
    .insert(importedTeams)
    .values(given.map((each) => ({ ...each, tournamentGuid })))
    .onConflictDoUpdate({
      target: importedTeams.teamGuid,
      set: { externalId: sql`excluded.external_id`, sheetName: sql`excluded.sheet_name` },
    })
}

export async function insertMentions(
  tx: Tx,
  tournamentGuid: string,
  given: readonly { readonly teamGuid: string; readonly mention: string; readonly userGuid: string }[],
): Promise<void> {
  if (given.length === 0) return
  await tx.session.orm.execute(sql`
    insert into ${importedPeople} (team_guid, mention, tournament_guid, user_guid)
    select n."teamGuid", n.mention, ${tournamentGuid}, n."userGuid"
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as n ("teamGuid" uuid, mention text, "userGuid" uuid)
    on conflict do nothing`)
}
