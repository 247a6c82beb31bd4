import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { identities, users } from '../../../people/users/tables.ts'

export interface KnownAccount {
  readonly guid: string
  readonly chatPlatformId: string
  readonly isPlaceholder: boolean
}

/** The users with these chat IDs: accounts, and placeholders that wait for their person. */
export async function listByChatIds(tx: Tx, chatIds: readonly string[]): Promise<readonly KnownAccount[]> {
  const { rows } = await tx.session.orm.execute<KnownAccount & Record<string, unknown>>(sql`
    select guid, chat_platform_id as "chatPlatformId", is_placeholder as "isPlaceholder" from ${users}
    where chat_platform_id = any(${sql.param([...chatIds])}::text[]) and anonymised_at is null order by guid for key share`)
  return rows
}

export async function findChatId(tx: Tx, guid: string): Promise<string | null> {
  const { rows } = await tx.session.orm.execute<{ id: string }>(
    sql`select chat_platform_id as id from ${users} where guid = ${guid}`,
  )
  return rows[0]?.id ?? null
}

export async function listTakenUsers(tx: Tx, guids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await tx.session.orm.execute<{ guid: string }>(
    sql`select guid from ${users} where guid = any(${sql.param([...guids])}::uuid[])`,
  )
  return rows.map(({ guid }) => guid)
}

export interface NewPerson {
  readonly guid: string
  readonly chatPlatformId: string | null
  readonly name: string
  readonly country: string | null
  /** Names on other platforms, by platform, which are not checked. */
  readonly links: Readonly<Record<string, string>>
}

/** Inserts what people are called on other platforms, unchecked. Platforms that are not known here are left out. */
export async function insertLinks(tx: Tx, people: readonly NewPerson[]): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${identities} (user_guid, platform, external_id)
    select p.guid, link.key, link.value
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p (guid uuid, links jsonb)
    cross join lateral jsonb_each_text(p.links) as link
    where link.key in (${sql.join(
      identities.platform.enumValues.map((platform) => sql`${platform}`),
      sql`, `,
    )})`)
}
