import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { chatDeliveries as deliveries, chatParts as parts } from '../tables.ts'

const atOnce = 64

const isOpen = sql`(d.status in ('pending', 'sending', 'removing') or d.status = 'removal_failed' and d.next_attempt_at is not null)`
const unsent = (delivery: string) => sql`exists (
  select from ${parts} p where p.delivery_guid = ${sql.raw(delivery)}.guid and p.message_id is null and p.status <> 'removing')`
/** New messages of a channel are sent in the order of their deliveries. */
const isBlocked = sql`(${unsent('d')} and exists (
  select from ${deliveries} e where e.tournament_guid = d.tournament_guid and e.channel = d.channel and e.place < d.place
    and e.status in ('pending', 'sending') and ${unsent('e')}))`

const due = statement('chatDeliveries.recorded', (orm) =>
  orm
    .select({
      guids: sql<string[]>`array(select d.guid from ${deliveries} d
        where d.tournament_guid = ${sql.placeholder('tournament')}::uuid and ${isOpen} and not ${isBlocked}
          and coalesce(d.next_attempt_at, '-infinity') <= clock.now order by d.place limit ${sql.raw(String(atOnce))})`,
      nextMs: sql<number | null>`(extract(epoch from (select min(d.next_attempt_at) from ${deliveries} d
        where d.tournament_guid = ${sql.placeholder('tournament')}::uuid and ${isOpen} and not ${isBlocked}
          and d.next_attempt_at > clock.now) - clock.now) * 1000)::float8`,
    })
    .from(sql`(select local_clock() as now offset 0) clock`),
)

/** The deliveries of a rehearsal with a step that is due, and the milliseconds until the next is; null for none. */
export async function findDueRecorded(
  db: Db,
  tournament: string,
): Promise<{ readonly guids: readonly string[]; readonly nextMs: number | null }> {
  return (await due(db, { tournament }))[0] ?? { guids: [], nextMs: null }
}
