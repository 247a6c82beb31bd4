import { and, desc, eq, lte, ne, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../core/page.ts'
import { madeBefore } from '../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import type { MediaColumn } from '../../../infra/media/store.ts'
import { platformMembers } from '../../listing/platforms/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournamentRoleHolders } from '../../tournaments/access/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { notices } from './tables.ts'
import type { Notice, NoticeSettings } from './types.ts'

export const contentColumn: MediaColumn = {
  table: notices,
  key: notices.guid,
  column: notices.content,
  isText: true,
}

export async function listTitles(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: notices.guid, title: notices.title })
    .from(notices)
    .where(sql`${notices.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, title }) => [guid, title]))
}

/** Written like the index of ends, so that the index is used. */
function endsAfter(now: unknown) {
  return sql`coalesce(${notices.endsAt}, 'infinity'::timestamptz) > ${now}::timestamptz`
}

const active = statement('notices.active', (orm) =>
  orm
    .select()
    .from(notices)
    .where(and(endsAfter(sql.placeholder('now')), lte(notices.startsAt, sql`${sql.placeholder('now')}::timestamptz`))),
)

/** Lists the notices that have started and not ended, for all audiences, in no particular order. */
export async function listActive(db: Db, now: Date): Promise<Notice[]> {
  return active(db, { now: now.toISOString() })
}

const nextChange = statement('notices.next_change', (orm) =>
  orm
    .select({
      at: sql<Date | null>`least(
      min(${notices.startsAt}) filter (where ${notices.startsAt} > ${sql.placeholder('now')}::timestamptz),
      min(${notices.endsAt}) filter (where ${notices.endsAt} > ${sql.placeholder('now')}::timestamptz))`.mapWith(
        notices.startsAt,
      ),
    })
    .from(notices)
    .where(endsAfter(sql.placeholder('now'))),
)

/** When the next notice starts or ends; null for never. */
export async function findNextChange(db: Db, now: Date): Promise<Date | null> {
  return (await nextChange(db, { now: now.toISOString() }))[0]?.at ?? null
}

/** Drizzle does not qualify columns in a query on one table, so subqueries name their tables by aliases. */
const staff = statement('notices.is_staff', (orm) =>
  orm
    .select({
      // Ordered like the index. Otherwise, the planner would read all tournaments if one organiser has most of them.
      isStaff: sql<boolean>`
        exists (select from ${platformMembers} m where m.user_guid = ${users}.guid)
        or exists (select from ${tournamentRoleHolders} h where h.user_guid = ${users}.guid)
        or exists (select from (
          select from ${tournaments} t where t.organiser_guid = ${users}.guid order by t.approved_at limit 1) t offset 0)`,
    })
    .from(users)
    .where(eq(users.guid, sql.placeholder('guid'))),
)

/** Whether the user is a member of a platform, holds a role in a tournament or organises one. */
export async function isStaffSomewhere(db: Db, userGuid: string): Promise<boolean> {
  return (await staff(db, { guid: userGuid }))[0]?.isStaff ?? false
}

/** Lists one page of all notices, newest first, with one row beyond `limit`. */
export async function listNotices(
  db: Db,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Notice[]> {
  return db.session.orm
    .select()
    .from(notices)
    .where(madeBefore(notices, after))
    .orderBy(desc(notices.createdAt), desc(notices.guid))
    .limit(limit + 1)
}

/** Locks the creation and change of notices until the transaction ends. */
export async function lockNotices(tx: Tx): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended('notices', 0))`)
}

/** The number of notices that have not ended, without the given one. Call it under `lockNotices`. */
export async function countCurrent(db: Db, now: Date, exceptGuid: string | null): Promise<number> {
  const others = exceptGuid === null ? undefined : ne(notices.guid, exceptGuid)
  return db.session.orm.$count(notices, and(endsAfter(now.toISOString()), others))
}

/** Call it under `lockNotices` before a change. */
export async function findNotice(db: Db, guid: string): Promise<Notice | undefined> {
  const [row] = await db.session.orm.select().from(notices).where(eq(notices.guid, guid))
  return row
}

export async function insertNotice(
  tx: Tx,
  notice: NoticeSettings & { readonly createdByGuid: string },
  now: Date,
): Promise<Notice> {
  const [row] = await tx.session.orm
    .insert(notices)
    .values({ ...notice, createdAt: now, updatedAt: now })
    .returning()
  if (row === undefined) throw new Error('an inserted notice was not returned')
  return row
}

/** Returns undefined if the notice was deleted in the meantime. */
export async function updateNotice(
  tx: Tx,
  guid: string,
  settings: NoticeSettings,
  now: Date,
): Promise<Notice | undefined> {
  const [row] = await tx.session.orm
    .update(notices)
    .set({ ...settings, updatedAt: now })
    .where(eq(notices.guid, guid))
    .returning()
  return row
}

/** Returns the deleted notice, or undefined if there was none. */
export async function deleteNotice(tx: Tx, guid: string): Promise<Notice | undefined> {
  const [row] = await tx.session.orm.delete(notices).where(eq(notices.guid, guid)).returning()
  return row
}

/** The notices that a user wrote. They stay after the account is deleted, because they are the site's. */
export const noticesPersonalData = declarePersonalData({
  sections: { notices: rowsOf(notices, 'createdByGuid', { shows: ['guid', 'title', 'content', 'createdAt'] }) },
})
