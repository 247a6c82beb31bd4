import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { assistantFinishes, assistantPlays } from '../tables.ts'
import type { Finish, Play, PlayState } from '../types.ts'

const guid = sql.placeholder('guid')

const byGuid = statement('assistant_plays.by_guid', (orm) =>
  orm.select().from(assistantPlays).where(eq(assistantPlays.guid, guid)),
)

export async function findPlay(db: Db, playGuid: string): Promise<Play | undefined> {
  return (await byGuid(db, { guid: playGuid }))[0]
}

const locked = statement('assistant_plays.lock', (orm) =>
  orm.select().from(assistantPlays).where(eq(assistantPlays.guid, guid)).for('no key update'),
)

/** Locks a play, so that its results are saved one after the other, whatever way they come. */
export async function lockPlay(tx: Tx, playGuid: string): Promise<Play | undefined> {
  return (await locked(tx, { guid: playGuid }))[0]
}

/** The session's play that was sent and has not ended. */
export async function findOpenPlay(db: Db, sessionGuid: string): Promise<Play | undefined> {
  const [row] = await db.session.orm
    .select()
    .from(assistantPlays)
    .where(and(eq(assistantPlays.sessionGuid, sessionGuid), inArray(assistantPlays.state, ['sending', 'started'])))
  return row
}

/**
 * Locks a match's plays that closed sessions left open, newest first. Call it while the match has no open session.
 * (D75)
 */
export async function lockLeftPlays(tx: Tx, matchGuid: string): Promise<readonly Play[]> {
  return tx.session.orm
    .select()
    .from(assistantPlays)
    .where(
      and(
        eq(assistantPlays.matchGuid, matchGuid),
        eq(assistantPlays.source, 'assistant'),
        isNotNull(assistantPlays.sessionGuid),
        inArray(assistantPlays.state, ['sending', 'started']),
      ),
    )
    .orderBy(desc(assistantPlays.startedAt), desc(assistantPlays.guid))
    .for('no key update')
}

/** Gives a play to another session, which then waits for its results. (D75) */
export async function movePlay(tx: Tx, playGuid: string, sessionGuid: string): Promise<void> {
  await tx.session.orm.update(assistantPlays).set({ sessionGuid }).where(eq(assistantPlays.guid, playGuid))
}

/** Returns null if the session has an open play. */
export async function insertPlay(tx: Tx, play: Omit<Play, 'guid' | 'endedAt'>): Promise<Play | null> {
  const [row] = await tx.session.orm
    .insert(assistantPlays)
    .values({ ...play, expected: [...play.expected] })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

export async function updatePlayState(
  tx: Tx,
  playGuid: string,
  state: PlayState,
  endedAt: Date | null,
): Promise<Play | undefined> {
  const [row] = await tx.session.orm
    .update(assistantPlays)
    .set({ state, endedAt })
    .where(eq(assistantPlays.guid, playGuid))
    .returning()
  return row
}

/** @returns whether it is the player's first result in the play */
export async function insertFinish(tx: Tx, finish: Finish): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(assistantFinishes)
    .values({ ...finish, mods: [...finish.mods], warnings: [...finish.warnings] })
    .onConflictDoNothing()
    .returning({ guid: assistantFinishes.playGuid })
  return rows.length > 0
}

const ofPlay = statement('assistant_finishes.of_play', (orm) =>
  orm
    .select()
    .from(assistantFinishes)
    .where(eq(assistantFinishes.playGuid, guid))
    .orderBy(assistantFinishes.side, assistantFinishes.receivedAt, assistantFinishes.userGuid),
)

/** Ordered by side, and then by time of arrival. */
export async function listFinishes(db: Db, playGuid: string): Promise<readonly Finish[]> {
  return ofPlay(db, { guid: playGuid })
}

export async function warnOfFinish(tx: Tx, playGuid: string, userGuid: string, code: string): Promise<void> {
  await tx.session.orm
    .update(assistantFinishes)
    .set({ warnings: sql`array_append(array_remove(${assistantFinishes.warnings}, ${code}), ${code})` })
    .where(and(eq(assistantFinishes.playGuid, playGuid), eq(assistantFinishes.userGuid, userGuid)))
}
