import { and, desc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantSessions } from '../tables.ts'
import type { AssistantSession } from '../types.ts'

const columns = getTableColumns(assistantSessions)
const isOpen = isNull(assistantSessions.closedAt)

export async function findSession(db: Db, guid: string): Promise<AssistantSession | undefined> {
  const [row] = await db.session.orm.select(columns).from(assistantSessions).where(eq(assistantSessions.guid, guid))
  return row
}

/** The open session of a match, else the most recent one. (assistant: Details, 2) */
export async function findOfMatch(db: Db, matchGuid: string): Promise<AssistantSession | undefined> {
  const [row] = await db.session.orm
    .select(columns)
    .from(assistantSessions)
    .where(eq(assistantSessions.matchGuid, matchGuid))
    .orderBy(sql`${assistantSessions.closedAt} is not null`, desc(assistantSessions.openedAt))
    .limit(1)
  return row
}

export async function lockOpenOfMatch(tx: Tx, matchGuid: string): Promise<AssistantSession | undefined> {
  const [row] = await tx.session.orm
    .select(columns)
    .from(assistantSessions)
    .where(and(eq(assistantSessions.matchGuid, matchGuid), isOpen))
    .for('update')
  return row
}

export async function lockSession(tx: Tx, guid: string): Promise<AssistantSession | undefined> {
  const [row] = await tx.session.orm
    .select(columns)
    .from(assistantSessions)
    .where(eq(assistantSessions.guid, guid))
    .for('update')
  return row
}

export async function listOpen(db: Db, tournamentGuid: string): Promise<AssistantSession[]> {
  return db.session.orm
    .select(columns)
    .from(assistantSessions)
    .where(and(eq(assistantSessions.tournamentGuid, tournamentGuid), isOpen))
    .orderBy(assistantSessions.openedAt, assistantSessions.guid)
    .limit(100)
}

/** GUIDs of the sessions that need a process. A failed session waits until an operator asks. */
export async function listHeld(db: Db): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: assistantSessions.guid })
    .from(assistantSessions)
    .where(and(isOpen, ne(assistantSessions.status, 'failed')))
    .orderBy(assistantSessions.openedAt)
    .limit(1_000)
  return rows.map(({ guid }) => guid)
}

/** GUIDs at the assistant of the matches that other open sessions hold. */
export async function listMatchesHeldElsewhere(db: Db, guid: string): Promise<ReadonlySet<string>> {
  const rows = await db.session.orm
    .select({ match: assistantSessions.assistantMatch })
    .from(assistantSessions)
    .where(and(isOpen, ne(assistantSessions.guid, guid)))
    .limit(1_000)
  return new Set(rows.flatMap(({ match }) => match ?? []))
}

export async function countOpen(tx: Tx, tournamentGuid: string): Promise<number> {
  const [row] = await tx.session.orm
    .select({ count: sql<number>`count(*)::int` })
    .from(assistantSessions)
    .where(and(eq(assistantSessions.tournamentGuid, tournamentGuid), isOpen))
  return row?.count ?? 0
}

export type NewSession = Pick<
  AssistantSession,
  | 'tournamentGuid'
  | 'matchGuid'
  | 'openedBy'
  | 'openedAt'
  | 'controllerGuid'
  | 'controllerSince'
  | 'controllerUntil'
  | 'controllerToken'
  | 'state'
  | 'assistantMatch'
  | 'isMatchOurs'
>

/** @returns undefined if the match has an open session by now */
export async function insertSession(tx: Tx, session: NewSession): Promise<AssistantSession | undefined> {
  const [row] = await tx.session.orm
    .insert(assistantSessions)
    .values({ ...session, status: 'connecting', phase: 'idle' })
    .onConflictDoNothing()
    .returning(columns)
  return row
}

export type SessionChanges = Partial<
  Omit<AssistantSession, 'guid' | 'tournamentGuid' | 'matchGuid' | 'openedBy' | 'revision'>
>

export async function updateSession(tx: Tx, guid: string, changes: SessionChanges): Promise<AssistantSession> {
  const [row] = await tx.session.orm
    .update(assistantSessions)
    .set({ ...changes, revision: sql`${assistantSessions.revision} + 1` })
    .where(eq(assistantSessions.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an update of a session found nothing')
  return row
}
