import { inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { availabilitySheets } from '../../../planning/availability/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { pushReminders } from '../tables.ts'
import type { Occasion } from '../types.ts'

const msUntil = (instant: SQL) => sql`(extract(epoch from ${instant} - local_clock()) * 1000)::float8`

/** What users are to be reminded of: a match or a sheet, with its time. */
export interface Reminder {
  readonly guid: string
  readonly tournamentGuid: string
  readonly dueAt: Date
}

/** The maximum number of reminders that are handled together. */
const batch = 200

const isOpen = sql`${tournaments.status} in ('approved', 'ongoing')`
const isToCome = sql`${matches.status} in ('locked', 'waiting', 'ready')`

const startingMatches = statement('push_devices.starting_matches', (orm) =>
  orm
    .select({
      guid: matches.guid,
      tournamentGuid: matches.tournamentGuid,
      dueAt: sql<Date>`${matches.scheduledAt}`.mapWith(matches.scheduledAt),
    })
    .from(matches)
    .innerJoin(tournaments, sql`${tournaments.guid} = ${matches.tournamentGuid} and ${isOpen}`)
    .where(
      sql`${matches.scheduledAt} > local_now() and ${matches.scheduledAt} <= local_now() + interval '10 minutes'
        and ${isToCome} and runs_here(${matches.tournamentGuid})
        and not exists (select from ${pushReminders} r
          where r.occasion = 'match.starting' and r.record_guid = ${matches.guid} and r.due_at = ${matches.scheduledAt})`,
    )
    .orderBy(matches.scheduledAt, matches.guid)
    .limit(batch),
)

/** Lists matches that start within ten minutes and have no reminder yet. */
export async function listStartingMatches(db: Db): Promise<Reminder[]> {
  return startingMatches(db)
}

const closingSheets = statement('push_devices.closing_sheets', (orm) =>
  orm
    .select({
      guid: availabilitySheets.guid,
      tournamentGuid: availabilitySheets.tournamentGuid,
      dueAt: sql<Date>`${availabilitySheets.closesAt}`.mapWith(availabilitySheets.closesAt),
    })
    .from(availabilitySheets)
    .innerJoin(tournaments, sql`${tournaments.guid} = ${availabilitySheets.tournamentGuid} and ${isOpen}`)
    .where(
      sql`${availabilitySheets.closesAt} > local_now() and ${availabilitySheets.closesAt} <= local_now() + interval '1 day'
        and runs_here(${availabilitySheets.tournamentGuid})
        and not exists (select from ${pushReminders} r
          where r.occasion = 'sheet.closing' and r.record_guid = ${availabilitySheets.guid}
            and r.due_at = ${availabilitySheets.closesAt})`,
    )
    .orderBy(availabilitySheets.closesAt, availabilitySheets.guid)
    .limit(batch),
)

/** Lists sheets that close within a day and have no reminder yet. */
export async function listClosingSheets(db: Db): Promise<Reminder[]> {
  return closingSheets(db)
}

const nextMatch = statement('push_devices.next_match', (orm) =>
  orm
    .select({ ms: sql<number | null>`${msUntil(sql`min(${matches.scheduledAt}) - interval '10 minutes'`)}` })
    .from(matches)
    .where(
      sql`${matches.tournamentGuid} = ${sql.placeholder('tournament')} and ${isToCome}
        and ${matches.scheduledAt} > local_clock() + interval '10 minutes'`,
    ),
)

const nextSheet = statement('push_devices.next_sheet', (orm) =>
  orm
    .select({ ms: sql<number | null>`${msUntil(sql`min(${availabilitySheets.closesAt}) - interval '1 day'`)}` })
    .from(availabilitySheets)
    .where(
      sql`${availabilitySheets.tournamentGuid} = ${sql.placeholder('tournament')}
        and ${availabilitySheets.closesAt} > local_clock() + interval '1 day'`,
    ),
)

/** Milliseconds until a reminder of a tournament's matches, or of its sheets, is due; null for none. */
export async function findNextMs(db: Db, tournament: string, of: 'matches' | 'sheets'): Promise<number | null> {
  return (await (of === 'matches' ? nextMatch : nextSheet)(db, { tournament }))[0]?.ms ?? null
}

/** Saves that users are reminded now. Returns the reminders that no other process has taken. */
export async function takeReminders(
  tx: Tx,
  occasion: Occasion,
  reminders: readonly Reminder[],
): Promise<readonly Reminder[]> {
  const taken = await tx.session.orm
    .insert(pushReminders)
    .values(reminders.map(({ guid, dueAt }) => ({ occasion, recordGuid: guid, dueAt })))
    .onConflictDoNothing()
    .returning({ guid: pushReminders.recordGuid })
  const guids = new Set(taken.map(({ guid }) => guid))
  return reminders.filter(({ guid }) => guids.has(guid))
}

/** Deletes reminders of times that are over. */
export async function deleteOldReminders(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = sql`select ctid from ${pushReminders} where ${lt(pushReminders.dueAt, before)} limit ${limit}`
  const { rowCount } = await tx.session.orm.delete(pushReminders).where(inArray(sql`ctid`, sql`(${old})`))
  return rowCount ?? 0
}
