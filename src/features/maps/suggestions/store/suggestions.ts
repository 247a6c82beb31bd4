import { and, asc, count, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { suggestions } from '../tables.ts'
import type { Suggestion, SuggestionStatus } from '../types.ts'

const columns = getTableColumns(suggestions)

const byGuid = statement('suggestions.by_guid', (orm) =>
  orm
    .select(columns)
    .from(suggestions)
    .where(eq(suggestions.guid, sql.placeholder('guid'))),
)

export async function findSuggestion(db: Db, guid: string): Promise<Suggestion | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const locked = statement('suggestions.lock', (orm) =>
  orm
    .select(columns)
    .from(suggestions)
    .where(eq(suggestions.guid, sql.placeholder('guid')))
    .for('no key update'),
)

/** A transaction that also locks the pool or `lockOpening` does that first. */
export async function lockSuggestion(tx: Tx, guid: string): Promise<Suggestion | undefined> {
  return (await locked(tx, { guid }))[0]
}

const lockedForShare = statement('suggestions.share', (orm) =>
  orm
    .select(columns)
    .from(suggestions)
    .where(eq(suggestions.guid, sql.placeholder('guid')))
    .for('share'),
)

/** Takes a shared lock, so that the suggestion cannot be decided. Many transactions may hold it at the same time. */
export async function lockSuggestionForShare(tx: Tx, guid: string): Promise<Suggestion | undefined> {
  return (await lockedForShare(tx, { guid }))[0]
}

/** Locks the tournament's suggestions, so that they are opened one after the other. */
export async function lockOpening(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('suggestions ' || ${tournamentGuid}::text, 0))`,
  )
}

const isOpen = eq(suggestions.status, 'open')

export async function countOpen(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ count: count() })
    .from(suggestions)
    .where(and(eq(suggestions.tournamentGuid, tournamentGuid), isOpen))
  return row?.count ?? 0
}

/** Returns the number of one user's suggestions in a tournament: all of them, and the open ones. */
export async function countOf(
  db: Db,
  tournamentGuid: string,
  userGuid: string,
): Promise<{ readonly all: number; readonly open: number }> {
  const [row] = await db.session.orm
    .select({ all: count(), open: sql<number>`(count(*) filter (where ${isOpen}))::int` })
    .from(suggestions)
    .where(and(eq(suggestions.tournamentGuid, tournamentGuid), eq(suggestions.suggestedByGuid, userGuid)))
  return row ?? { all: 0, open: 0 }
}

const oldestOpen = statement('suggestions.oldest_open', (orm) =>
  orm
    .selectDistinctOn([suggestions.mapGuid], { mapGuid: suggestions.mapGuid, guid: suggestions.guid })
    .from(suggestions)
    .where(
      and(
        eq(suggestions.tournamentGuid, sql.placeholder('tournamentGuid')),
        // A literal and not a parameter, so that PostgreSQL can use the index of open suggestions.
        sql`${suggestions.status} = 'open'`,
        sql`${suggestions.mapGuid} = any(${sql.placeholder('mapGuids')}::uuid[])`,
      ),
    )
    .orderBy(asc(suggestions.mapGuid), asc(suggestions.createdAt), asc(suggestions.guid)),
)

/** Returns the oldest open suggestion of each map, by map GUID. Maps without one are left out. */
export async function listOldestOpen(
  db: Db,
  tournamentGuid: string,
  mapGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (mapGuids.length === 0) return new Map()
  const rows = await oldestOpen(db, { tournamentGuid, mapGuids: [...new Set(mapGuids)] })
  return new Map(rows.map(({ mapGuid, guid }) => [mapGuid, guid]))
}

export interface SuggestionFilter {
  readonly status?: SuggestionStatus | undefined
  readonly targetPoolGuid?: string | undefined
  readonly suggestedByGuid?: string | undefined
  readonly after?: MakingPosition | undefined
  readonly limit: number
}

/** One page, newest first, plus one row beyond `limit`. */
export async function listSuggestions(
  db: Db,
  tournamentGuid: string,
  { status, targetPoolGuid, suggestedByGuid, after, limit }: SuggestionFilter,
): Promise<Suggestion[]> {
  return db.session.orm
    .select(columns)
    .from(suggestions)
    .where(
      and(
        eq(suggestions.tournamentGuid, tournamentGuid),
        status && eq(suggestions.status, status),
        targetPoolGuid === undefined ? undefined : eq(suggestions.targetPoolGuid, targetPoolGuid),
        suggestedByGuid === undefined ? undefined : eq(suggestions.suggestedByGuid, suggestedByGuid),
        madeBefore(suggestions, after),
      ),
    )
    .orderBy(desc(suggestions.createdAt), desc(suggestions.guid))
    .limit(limit + 1)
}

export type NewSuggestion = Pick<
  Suggestion,
  'tournamentGuid' | 'mapGuid' | 'targetPoolGuid' | 'targetFlairGuid' | 'note' | 'suggestedByGuid'
>

export async function insertSuggestion(tx: Tx, suggestion: NewSuggestion, now: Date): Promise<Suggestion> {
  const [row] = await tx.session.orm
    .insert(suggestions)
    .values({ ...suggestion, createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted suggestion was not returned')
  return row
}

export type SuggestionChanges = Partial<
  Omit<Suggestion, 'guid' | 'tournamentGuid' | 'mapGuid' | 'suggestedByGuid' | 'createdAt' | 'updatedAt'>
>

/** Call under `lockSuggestion`. */
export async function updateSuggestion(
  tx: Tx,
  guid: string,
  changes: SuggestionChanges,
  now: Date,
): Promise<Suggestion> {
  const [row] = await tx.session.orm
    .update(suggestions)
    .set({ ...changes, updatedAt: now })
    .where(eq(suggestions.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated suggestion was not returned')
  return row
}

/** Returns another open suggestion of the same map. */
export async function findOtherOpen(
  db: Db,
  { tournamentGuid, mapGuid }: Pick<Suggestion, 'tournamentGuid' | 'mapGuid'>,
  guid?: string,
): Promise<string | undefined> {
  const [row] = await db.session.orm
    .select({ guid: suggestions.guid })
    .from(suggestions)
    .where(
      and(
        eq(suggestions.tournamentGuid, tournamentGuid),
        eq(suggestions.mapGuid, mapGuid),
        isOpen,
        guid === undefined ? undefined : ne(suggestions.guid, guid),
      ),
    )
    .orderBy(asc(suggestions.createdAt), asc(suggestions.guid))
    .limit(1)
  return row?.guid
}
