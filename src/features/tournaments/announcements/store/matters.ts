import { and, asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { brackets } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { chatDeliveries } from '../../chatDeliveries/tables.ts'
import type { Revision } from '../rules/matters.ts'
import { announcements, announcementMatters as matters } from '../tables.ts'
import type { Announcement, Matter, NewMatter } from '../types.ts'

/** The seconds by which a matter is held back now, in SQL over a row `m`. */
export const delayOf = sql`case when m.is_delayed
  then coalesce((select d.seconds from stream_delay(m.tournament_guid, m.match_guid) d), 0) else 0 end`

/**
 * Stores what is to be said, due when the stream shows it. What was said of the same already is looked at again
 * instead; what is not said yet is looked at once more after it was said. Placements are not kept for the delay, so
 * they wait for the last change.
 */
export async function insertMatters(tx: Tx, made: readonly NewMatter[]): Promise<void> {
  const seen = new Map<string, number>()
  const batches = Map.groupBy(made, ({ tournamentGuid, kind, key }) => {
    const whole = `${tournamentGuid} ${kind} ${key}`
    const count = seen.get(whole) ?? 0
    seen.set(whole, count + 1)
    return count
  })
  for (const batch of batches.values()) await insertBatch(tx, batch)
}

async function insertBatch(tx: Tx, batch: readonly NewMatter[]): Promise<void> {
  const rows = batch.map((matter) => ({
    tournament_guid: matter.tournamentGuid,
    kind: matter.kind,
    key: matter.key,
    record_guid: matter.subjectGuid,
    match_guid: matter.matchGuid,
    detail: matter.detail,
    is_delayed: matter.isDelayed,
    happened_at: matter.happenedAt,
    not_before: matter.notBefore,
  }))
  await tx.session.orm.execute(sql`
    insert into ${matters} as own
      (tournament_guid, kind, key, record_guid, match_guid, detail, is_delayed, happened_at, due_at)
    select m.tournament_guid, m.kind, m.key, m.record_guid, m.match_guid, m.detail, m.is_delayed, m.happened_at,
      greatest(m.not_before, m.happened_at + make_interval(secs => ${delayOf}))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (tournament_guid uuid, kind text, key text,
      record_guid uuid, match_guid uuid, detail jsonb, is_delayed bool, happened_at timestamptz,
      not_before timestamptz)
    where exists (select from tournaments t where t.guid = m.tournament_guid)
    on conflict (tournament_guid, kind, key) do update set
      happened_at = case when own.announcement_guid is null then own.happened_at else excluded.happened_at end,
      due_at = case when own.announcement_guid is null and own.kind <> 'placements' then own.due_at
        else greatest(own.due_at, excluded.due_at) end,
      changed_at = case when own.announcement_guid is null then greatest(own.changed_at, excluded.happened_at) end`)
}

/** Has what was, or will be, said of these matches looked at when the stream shows their change. */
export async function reviseMatters(tx: Tx, { subjectGuid, numbers, at }: Revision): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matters} as own set
      due_at = case when own.announcement_guid is null then own.due_at else greatest(own.due_at, m.due_at) end,
      happened_at = case when own.announcement_guid is null then own.happened_at else ${at.toISOString()} end,
      changed_at = case when own.announcement_guid is null then greatest(own.changed_at, ${at.toISOString()}) end
    from (
      select m.guid, ${at.toISOString()}::timestamptz + make_interval(secs => ${delayOf}) as due_at
      from ${matters} m join ${matches} played on played.guid = m.record_guid
      where m.kind = 'match_finished' and played.number = any(${sql.param([...numbers])}::int[])
        and played.bracket_guid = coalesce(
          (select s.bracket_guid from ${matches} s where s.guid = ${subjectGuid}),
          (select b.guid from ${brackets} b where b.guid = ${subjectGuid}))
    ) m where own.guid = m.guid`)
}

/** A round of a bracket in which each match can be played and none has begun. */
export interface ReadyRound {
  readonly tournamentGuid: string
  readonly bracketGuid: string
  /** `upper:2` */
  readonly round: string
  /** Any of its matches. */
  readonly matchGuid: string
}

/**
 * Lists the rounds of these brackets, each given by itself or by one of its matches, that are ready now. In a round
 * robin all rounds could be played from the start, so a round waits for the earlier ones.
 */
export async function listReadyRounds(tx: Tx, subjectGuids: readonly string[]): Promise<readonly ReadyRound[]> {
  const { rows } = await tx.session.orm.execute<{
    tournament: string
    bracket: string
    round: string
    match: string
  }>(sql`
    with wanted as (
      select s.bracket_guid as guid from ${matches} s where s.guid = any(${sql.param([...subjectGuids])}::uuid[])
      union select b.guid from ${brackets} b where b.guid = any(${sql.param([...subjectGuids])}::uuid[])
    ), rounds as (
      select m.tournament_guid, m.bracket_guid, m.section, m.round, min(m.guid::text) as match,
        bool_and(m.status in ('ready', 'cancelled') or m.outcome = 'bye') and bool_or(m.status = 'ready') as is_ready,
        bool_and(m.status in ('completed', 'cancelled')) as is_over
      from ${matches} m where m.bracket_guid in (select guid from wanted)
      group by m.tournament_guid, m.bracket_guid, m.section, m.round
    )
    select r.tournament_guid as tournament, r.bracket_guid as bracket, r.section || ':' || r.round as round, r.match
    from rounds r where r.is_ready and not exists (
      select from rounds e where e.bracket_guid = r.bracket_guid and e.section = r.section and e.round < r.round
        and not e.is_over)`)
  return rows.map(({ tournament, bracket, round, match }) => ({
    tournamentGuid: tournament,
    bracketGuid: bracket,
    round,
    matchGuid: match,
  }))
}

/** Removes what is to be said of the registration and was not. */
export async function deleteRegistrationMatters(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm
    .delete(matters)
    .where(
      and(
        eq(matters.tournamentGuid, tournamentGuid),
        inArray(matters.kind, ['registration_opened', 'registration_closing']),
        isNull(matters.announcementGuid),
      ),
    )
}

/** Locks the matters if they are still as they were read; returns false if another process has dealt with them. */
export async function lockMatters(tx: Tx, read: readonly Matter[]): Promise<boolean> {
  const locked = await tx.session.orm
    .select({ guid: matters.guid, dueAt: matters.dueAt, announcementGuid: matters.announcementGuid })
    .from(matters)
    .where(
      inArray(
        matters.guid,
        read.map(({ guid }) => guid),
      ),
    )
    .orderBy(asc(matters.guid))
    .for('update')
  const present = new Map(locked.map((row) => [row.guid, row]))
  return read.every(({ guid, dueAt, announcementGuid }) => {
    const row = present.get(guid)
    return row?.dueAt?.getTime() === dueAt?.getTime() && row?.announcementGuid === announcementGuid
  })
}

export async function insertAnnouncement(tx: Tx, announcement: Announcement, now: Date): Promise<void> {
  await tx.session.orm.insert(announcements).values({ ...announcement, createdAt: now })
}

/** Notes that an announcement said the matters. Those that changed since are looked at again. */
export async function markSaid(tx: Tx, guids: readonly string[], announcementGuid: string): Promise<void> {
  await tx.session.orm
    .update(matters)
    .set({ announcementGuid, dueAt: null })
    .where(inArray(matters.guid, [...guids]))
  await lookAgain(tx, guids)
}

async function lookAgain(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matters} as m set happened_at = m.changed_at, changed_at = null,
      due_at = m.changed_at + make_interval(secs => ${delayOf})
    where m.guid = any(${sql.param([...guids])}::uuid[]) and m.changed_at is not null`)
}

/** Sets when the matters are looked at again; null for never. */
export async function setDue(tx: Tx, guids: readonly string[], dueAt: Date | null): Promise<void> {
  await tx.session.orm
    .update(matters)
    .set({ dueAt })
    .where(inArray(matters.guid, [...guids]))
}

/** Drops matters with nothing to say. Those that changed since are looked at again. */
export async function dropMatters(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length === 0) return
  await tx.session.orm.delete(matters).where(and(inArray(matters.guid, [...guids]), isNull(matters.changedAt)))
  await lookAgain(tx, guids)
}

const maxSwept = 1_000

/** Deletes announcements from before that time, with their deliveries; their messages stay in the chat. */
export async function deleteOld(tx: Tx, before: Date): Promise<number> {
  const old = tx.session.orm
    .select({ guid: announcements.guid })
    .from(announcements)
    .where(lt(announcements.createdAt, before))
    .limit(maxSwept)
  const deleted = await tx.session.orm
    .delete(announcements)
    .where(inArray(announcements.guid, old))
    .returning({ guid: announcements.guid })
  if (deleted.length === 0) return 0
  const guids = deleted.map(({ guid }) => guid)
  await tx.session.orm.delete(chatDeliveries).where(inArray(chatDeliveries.guid, guids))
  return deleted.length
}
