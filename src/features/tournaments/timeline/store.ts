import { asc, eq, inArray, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { timelineEvents } from './tables.ts'
import type { NewTimelineEvent, TimelineEvent } from './types.ts'

const columns = {
  guid: timelineEvents.guid,
  title: timelineEvents.title,
  description: timelineEvents.description,
  icon: timelineEvents.icon,
  startTime: timelineEvents.startTime,
  endTime: timelineEvents.endTime,
}

const ofTournament = statement('timeline.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(timelineEvents)
    .where(eq(timelineEvents.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(timelineEvents.startTime), asc(timelineEvents.guid)),
)

/** Lists the events ordered by start, then by GUID. */
export async function listTimeline(db: Db, tournamentGuid: string): Promise<TimelineEvent[]> {
  return ofTournament(db, { tournamentGuid })
}

export async function insertEvents(
  tx: Tx,
  tournamentGuid: string,
  events: readonly NewTimelineEvent[],
): Promise<TimelineEvent[]> {
  if (events.length === 0) return []
  return tx.session.orm
    .insert(timelineEvents)
    .values(events.map((event) => ({ tournamentGuid, ...event })))
    .returning(columns)
}

/** `updated_at` grows with every change, so that calendar programs recognise the newer version. */
export async function updateEvents(tx: Tx, events: readonly TimelineEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(
    ({ guid, title, description, icon, startTime, endTime }) =>
      sql`(${guid}::uuid, ${title}::text, ${description}::text, ${icon}::text, ${startTime}::timestamptz, ${endTime}::timestamptz)`,
  )
  await tx.session.orm.execute(sql`
    update ${timelineEvents} set title = n.title, description = n.description, icon = n.icon,
      start_time = n.start_time, end_time = n.end_time,
      updated_at = greatest(local_now(), updated_at + interval '1 millisecond')
    from (values ${sql.join(rows, sql`, `)}) as n (guid, title, description, icon, start_time, end_time)
    where ${timelineEvents}.guid = n.guid`)
}

export async function deleteEvents(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length === 0) return
  await tx.session.orm.delete(timelineEvents).where(inArray(timelineEvents.guid, [...guids]))
}
