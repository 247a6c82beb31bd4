import { and, asc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantCommands } from '../tables.ts'

const columns = getTableColumns(assistantCommands)
export type StoredCommand = typeof assistantCommands.$inferSelect

export interface NewCommand {
  readonly sessionGuid: string
  readonly userGuid: string
  readonly key: string | null
  readonly name: string
  readonly body: object
}

/** Inserts a command. If its key is stored already, returns the stored command unchanged. */
export async function insertCommand(tx: Tx, command: NewCommand): Promise<StoredCommand> {
  const { orm } = tx.session
  const [row] = await orm.insert(assistantCommands).values(command).onConflictDoNothing().returning(columns)
  if (row !== undefined) return row
  const [before] = await orm
    .select(columns)
    .from(assistantCommands)
    .where(and(eq(assistantCommands.userGuid, command.userGuid), eq(assistantCommands.key, command.key ?? '')))
  if (before === undefined) throw new Error('a command is neither new nor known')
  return before
}

export async function findCommand(db: Db, guid: string): Promise<StoredCommand | undefined> {
  const [row] = await db.session.orm.select(columns).from(assistantCommands).where(eq(assistantCommands.guid, guid))
  return row
}

/** The commands that no process has taken, in their order. The senders of old ones have already got a timeout. (AS6) */
export async function listWaiting(
  db: Db,
  sessionGuid: string,
): Promise<(StoredCommand & { readonly isOld: boolean })[]> {
  return db.session.orm
    .select({ ...columns, isOld: sql<boolean>`${assistantCommands.at} < clock_timestamp() - interval '10 seconds'` })
    .from(assistantCommands)
    .where(
      and(
        eq(assistantCommands.sessionGuid, sessionGuid),
        isNull(assistantCommands.takenAt),
        isNull(assistantCommands.answeredAt),
      ),
    )
    .orderBy(asc(assistantCommands.at), asc(assistantCommands.guid))
    .limit(50)
}

/** @returns whether this call took the command */
export async function markTaken(tx: Tx, guid: string): Promise<boolean> {
  const { rowCount } = await tx.session.orm
    .update(assistantCommands)
    .set({ takenAt: sql`now()` })
    .where(and(eq(assistantCommands.guid, guid), isNull(assistantCommands.takenAt)))
  return (rowCount ?? 0) > 0
}

export async function answerCommand(tx: Tx, guid: string, answer: object): Promise<void> {
  await tx.session.orm
    .update(assistantCommands)
    .set({ answer, answeredAt: sql`now()` })
    .where(and(eq(assistantCommands.guid, guid), isNull(assistantCommands.answeredAt)))
}

/** Commands that a process took but never answered. The process has ended, and how far it came is unknown. */
export async function listAbandoned(db: Db, sessionGuid: string): Promise<StoredCommand[]> {
  return db.session.orm
    .select(columns)
    .from(assistantCommands)
    .where(
      and(
        eq(assistantCommands.sessionGuid, sessionGuid),
        sql`${assistantCommands.takenAt} is not null`,
        isNull(assistantCommands.answeredAt),
      ),
    )
    .limit(100)
}

/** Keys are remembered for a day. (RT25) */
export async function deleteOldCommands(tx: Tx, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ guid: assistantCommands.guid })
    .from(assistantCommands)
    .where(lt(assistantCommands.at, sql`now() - interval '25 hours'`))
    .limit(limit)
  const { rowCount } = await tx.session.orm.delete(assistantCommands).where(sql`${assistantCommands.guid} in ${old}`)
  return rowCount ?? 0
}
