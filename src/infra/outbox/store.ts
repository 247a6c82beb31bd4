import { and, asc, eq, getTableColumns, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { databaseNow } from '../db/clock.ts'
import { type Db, statement, type Tx } from '../db/database.ts'
import { maxMessages } from './rules.ts'
import { outboxMessages as messages } from './tables.ts'
import type { Faults, MessageStatus, OutboxAttempt, OutboxKind, OutboxMessage } from './types.ts'

export interface Settings {
  readonly seed: string
  readonly faults: Faults
}

/** The seed of a rehearsal and how the receivers answer there; undefined if it was deleted meanwhile. */
export async function findSettings(db: Db, rehearsal: string): Promise<Settings | undefined> {
  const { rows } = await db.session.orm.execute<{ seed: string; faults: Faults }>(
    sql`select seed, faults from rehearsals where guid = ${rehearsal}::uuid`,
  )
  return rows[0]
}

const { attempts: _attempts, rehearsalGuid: _of, to: _to, ...stored } = getTableColumns(messages)
const columns = {
  ...stored,
  to: sql<string>`coalesce((select u.preferred_name from users u where u.guid = ${messages.userGuid}), ${messages.to})`,
}

/** A message with the times that its sender needs. */
export interface StoredMessage extends OutboxMessage {
  readonly key: string | null
  readonly nextAttemptAt: Date | null
  readonly until: Date | null
}

type Row = Omit<StoredMessage, 'attempts'> & {
  readonly attempts: readonly { readonly at: string; readonly status: number }[]
}

const asStored = ({ attempts, ...row }: Row): StoredMessage => ({
  ...row,
  attempts: attempts.map(({ at, status }) => ({ at: new Date(at), status })),
})

const written = (attempts: readonly OutboxAttempt[]) =>
  attempts.map(({ at, status }) => ({ at: at.toISOString(), status }))

export type NewRow = Omit<StoredMessage, 'guid' | 'place'>

function storedRow(rehearsalGuid: string, row: NewRow) {
  return { ...row, rehearsalGuid, to: row.userGuid === null ? row.to : '', attempts: written(row.attempts) }
}

/** Stores messages in their order, unless their key is known, and forgets the oldest that are beyond the limit. */
export async function insertMessages(tx: Tx, rehearsalGuid: string, rows: readonly NewRow[]): Promise<void> {
  await tx.session.orm
    .insert(messages)
    .values(rows.map((row) => storedRow(rehearsalGuid, row)))
    .onConflictDoNothing({ target: [messages.rehearsalGuid, messages.key] })
  await tx.session.orm.execute(sql`
    delete from ${messages} m where m.rehearsal_guid = ${rehearsalGuid}::uuid and (m.at, m.kind, m.place) <= (
      select o.at, o.kind, o.place from ${messages} o where o.rehearsal_guid = ${rehearsalGuid}::uuid
      order by o.at desc, o.kind desc, o.place desc offset ${maxMessages} limit 1)`)
}

/** The progress of a message. */
export type Progress = Pick<StoredMessage, 'status' | 'attempts' | 'nextAttemptAt'>

export async function writeProgress(tx: Tx, guid: string, { attempts, ...progress }: Progress): Promise<void> {
  await tx.session.orm
    .update(messages)
    .set({ ...progress, attempts: written(attempts) })
    .where(eq(messages.guid, guid))
}

/** Locks a message that its sender knows by a key. */
export async function lockKeyed(tx: Tx, rehearsal: string, key: string): Promise<StoredMessage | undefined> {
  const [row] = await tx.session.orm
    .select({ ...columns, attempts: messages.attempts })
    .from(messages)
    .where(and(eq(messages.rehearsalGuid, rehearsal), eq(messages.key, key)))
    .for('update')
  return row && asStored(row)
}

const atOnce = 100

/** Locks the messages of a kind whose next attempt is due by the clock of the transaction. */
export async function lockDue(tx: Tx, rehearsal: string, kind: OutboxKind): Promise<StoredMessage[]> {
  const rows = await tx.session.orm
    .select({ ...columns, attempts: messages.attempts })
    .from(messages)
    .where(
      and(eq(messages.rehearsalGuid, rehearsal), eq(messages.kind, kind), lte(messages.nextAttemptAt, databaseNow)),
    )
    .orderBy(asc(messages.nextAttemptAt), asc(messages.place))
    .limit(atOnce)
    .for('update')
  return rows.map(asStored)
}

const next = statement('outbox.next', (orm) =>
  orm
    .select({
      ms: sql<number | null>`(extract(epoch from min(${messages.nextAttemptAt}) - local_clock()) * 1000)::float8`,
    })
    .from(messages)
    .where(
      and(
        eq(messages.rehearsalGuid, sql.placeholder('rehearsal')),
        eq(messages.kind, sql.placeholder('kind')),
        sql`${messages.nextAttemptAt} is not null`,
      ),
    ),
)

/** Milliseconds until the next attempt for a message of a kind is due; null for none. */
export async function findNextMs(db: Db, rehearsal: string, kind: OutboxKind): Promise<number | null> {
  return (await next(db, { rehearsal, kind }))[0]?.ms ?? null
}

/** The text without the signs that JSON and Markdown put before others. */
const plain = (text: SQL) => sql`lower(replace(${text}, chr(92), ''))`

/**
 * Removes the texts of the messages of rehearsals that tell the name of one of their placeholders.
 * @returns the rehearsals of these messages
 */
export async function forgetTexts(tx: Tx, placeholders: readonly string[]): Promise<string[]> {
  const { rows } = await tx.session.orm.execute<{ rehearsal: string }>(sql`
    update ${messages} m set subject = '', body = ''
    from users u
    where u.guid = any(${sql.param([...placeholders])}::uuid[]) and m.rehearsal_guid = u.made_by_tournament_guid
      and position(${plain(sql`u.preferred_name`)} in ${plain(sql`m.subject || ' ' || m.body`)}) > 0
    returning m.rehearsal_guid as rehearsal`)
  return [...new Set(rows.map(({ rehearsal }) => rehearsal))].toSorted()
}

/** Where a message is in the list. */
export type ListPosition = Pick<OutboxMessage, 'at' | 'kind' | 'place'>

/**
 * Lists the messages of a rehearsal, oldest first, with one beyond `limit`. Those of one instant are in the order of their
 * kinds, whose senders work at the same time. (R3)
 * @param after null for the beginning
 */
export async function listMessages(
  db: Db,
  rehearsal: string,
  part: {
    readonly kinds: readonly OutboxKind[]
    readonly statuses: readonly MessageStatus[]
    readonly after: ListPosition | null
    readonly limit: number
  },
): Promise<OutboxMessage[]> {
  const rows = await db.session.orm
    .select({ ...columns, attempts: messages.attempts })
    .from(messages)
    .where(
      and(
        eq(messages.rehearsalGuid, rehearsal),
        part.after === null ? undefined : isAfter(part.after),
        inArray(messages.kind, [...part.kinds]),
        inArray(messages.status, [...part.statuses]),
      ),
    )
    .orderBy(asc(messages.at), asc(messages.kind), asc(messages.place))
    .limit(part.limit + 1)
  return rows.map(asStored)
}

const isAfter = ({ at, kind, place }: ListPosition) =>
  sql`(${messages.at}, ${messages.kind}, ${messages.place}) > (${at.toISOString()}::timestamptz, ${kind}::text, ${place}::bigint)`
