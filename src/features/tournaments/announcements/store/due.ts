import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import type { AnnouncementKind } from '../../tournaments/types.ts'
import { announcementMatters as matters } from '../tables.ts'
import type { Matter } from '../types.ts'
import { delayOf } from './matters.ts'

const {
  key: _key,
  isDelayed: _isDelayed,
  changedAt: _changedAt,
  matchGuid: _matchGuid,
  ...columns
} = getTableColumns(matters)

/** Matters that are said together: of one kind and one delay, or of one announcement that is to be checked. */
export interface Group {
  readonly tournamentGuid: string
  readonly kind: AnnouncementKind
  readonly announcementGuid: string | null
  /** The match whose delay they share; null for the tournament's. */
  readonly matchGuid: string | null
  readonly isDelayed: boolean
  readonly seconds: number
}

const maxGroups = 100

/** Lists the groups with something due. */
export async function listDueGroups(db: Db): Promise<readonly Group[]> {
  const { rows } = await db.session.orm.execute<{
    tournament: string
    kind: AnnouncementKind
    announcement: string | null
    match: string | null
    is_delayed: boolean
    seconds: number
  }>(sql`
    select m.tournament_guid as tournament, m.kind, m.announcement_guid as announcement, m.is_delayed,
      min(m.match_guid::text) as match, ${delayOf} as seconds
    from ${matters} m where m.due_at <= local_clock() and runs_here(m.tournament_guid)
    group by 1, 2, 3, 4, 6 order by min(m.due_at), 1, 2 limit ${maxGroups}`)
  return rows.map(({ tournament, kind, announcement, match, is_delayed, seconds }) => ({
    tournamentGuid: tournament,
    kind,
    announcementGuid: announcement,
    matchGuid: match,
    isDelayed: is_delayed,
    seconds,
  }))
}

const next = statement('announcements.next', (orm) =>
  orm
    .select({ ms: sql<number>`(extract(epoch from ${matters.dueAt} - local_clock()) * 1000)::float8` })
    .from(matters)
    .where(and(eq(matters.tournamentGuid, sql.placeholder('tournament')), isNotNull(matters.dueAt)))
    .orderBy(asc(matters.dueAt))
    .limit(1),
)

/** Milliseconds until something of a tournament is to be said; null for nothing. */
export async function findNextMs(db: Db, tournament: string): Promise<number | null> {
  return (await next(db, { tournament }))[0]?.ms ?? null
}

const maxTogether = 500

/**
 * Lists what is said together now: of a group that was not said all that the stream shows, even what could wait longer;
 * of an announcement all that it said.
 */
export async function listGroup(db: Db, group: Group): Promise<readonly Matter[]> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(
    group.announcementGuid === null
      ? sql`select m.guid from ${matters} m
          where m.tournament_guid = ${group.tournamentGuid} and m.kind = ${group.kind} and m.announcement_guid is null
            and m.is_delayed = ${group.isDelayed} and m.due_at is not null
            and m.happened_at + make_interval(secs => ${group.seconds}) <= local_clock()
            and ${delayOf} = ${group.seconds}
          order by m.happened_at, m.guid limit ${maxTogether}`
      : sql`select m.guid from ${matters} m where m.announcement_guid = ${group.announcementGuid}`,
  )
  if (rows.length === 0) return []
  return db.session.orm
    .select(columns)
    .from(matters)
    .where(
      inArray(
        matters.guid,
        rows.map(({ guid }) => guid),
      ),
    )
    .orderBy(asc(matters.happenedAt), asc(matters.guid))
}

const patienceMs = 500

/** Has what is due and could not be said wait: until its delay is over or, if that is so, for a moment. */
export async function postponeGroup(tx: Tx, group: Group, now: Date): Promise<void> {
  const soon = new Date(now.getTime() + patienceMs).toISOString()
  await tx.session.orm.execute(sql`
    update ${matters} as m
    set due_at = greatest(${soon}::timestamptz, m.happened_at + make_interval(secs => ${delayOf}))
    where m.tournament_guid = ${group.tournamentGuid} and m.kind = ${group.kind} and m.due_at <= local_clock()
      and m.announcement_guid is not distinct from ${group.announcementGuid}
      and m.happened_at + make_interval(secs => ${delayOf}) > ${new Date(now.getTime() - maxStepMs).toISOString()}`)
}

/** By how much the shown state is behind the exact delay at most, as it moves in steps. (RT41) */
const maxStepMs = 5_000
