import { and, asc, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { channelEntries, channelLists, channels } from './tables.ts'
import type { Channel, ChannelList, ListedEntry, QueueEntry } from './types.ts'

const columns = getTableColumns(channels)
const tournamentGuid = sql.placeholder('tournamentGuid')

const ofTournament = statement('channels.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(channels)
    .where(eq(channels.tournamentGuid, tournamentGuid))
    .orderBy(asc(channels.position), asc(channels.guid)),
)

const revisionOf = statement('channels.revision', (orm) =>
  orm
    .select({ revision: channelLists.revision })
    .from(channelLists)
    .where(eq(channelLists.tournamentGuid, tournamentGuid)),
)

export async function readList(db: Db, guid: string): Promise<ChannelList> {
  const [found, [list]] = await Promise.all([
    ofTournament(db, { tournamentGuid: guid }),
    revisionOf(db, { tournamentGuid: guid }),
  ])
  return { channels: found, revision: list?.revision ?? 0 }
}

const byGuid = statement('channels.by_guid', (orm) =>
  orm
    .select(columns)
    .from(channels)
    .where(eq(channels.guid, sql.placeholder('guid'))),
)

export async function findChannel(db: Db, guid: string): Promise<Channel | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const lock = statement('channels.lock_list', (orm) =>
  orm
    .select({ revision: channelLists.revision })
    .from(channelLists)
    .where(eq(channelLists.tournamentGuid, tournamentGuid))
    .for('update'),
)

/**
 * Locks the queues of all channels of a tournament. Take this lock after the tournament's and before those of brackets.
 */
export async function lockQueues(tx: Tx, guid: string): Promise<void> {
  await lock(tx, { tournamentGuid: guid })
}

/** Does the same if the tournament may have no channels yet. Call it under the tournament's lock. */
export async function openList(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.insert(channelLists).values({ tournamentGuid: guid }).onConflictDoNothing()
  await lockQueues(tx, guid)
}

export async function raiseListRevision(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm
    .update(channelLists)
    .set({ revision: sql`${channelLists.revision} + 1` })
    .where(eq(channelLists.tournamentGuid, guid))
}

type Written = Pick<Channel, 'name' | 'url' | 'delaySeconds' | 'position'>

export async function insertChannels(
  tx: Tx,
  tournament: string,
  made: readonly Written[],
  now: Date,
): Promise<readonly Channel[]> {
  if (made.length === 0) return []
  return tx.session.orm
    .insert(channels)
    .values(made.map((channel) => ({ ...channel, tournamentGuid: tournament, createdAt: now, updatedAt: now })))
    .returning(columns)
}

export async function updateChannel(
  tx: Tx,
  guid: string,
  { name, url, delaySeconds, position }: Written,
  now: Date,
): Promise<void> {
  await tx.session.orm
    .update(channels)
    .set({ name, url, delaySeconds, position, updatedAt: now })
    .where(eq(channels.guid, guid))
}

/** Deletes the channels and their queues. */
export async function deleteChannels(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length > 0) await tx.session.orm.delete(channels).where(inArray(channels.guid, [...guids]))
}

const entryColumns = {
  channelGuid: channelEntries.channelGuid,
  matchGuid: channelEntries.matchGuid,
  status: channelEntries.status,
  plannedAt: channelEntries.plannedAt,
  matchNumber: matches.number,
  matchStatus: matches.status,
}

const ofChannels = statement('channels.entries', (orm) =>
  orm
    .select(entryColumns)
    .from(channelEntries)
    .innerJoin(matches, eq(matches.guid, channelEntries.matchGuid))
    .where(sql`${channelEntries.channelGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(channelEntries.channelGuid), asc(channelEntries.position)),
)

export type EntryOfChannel = ListedEntry & { readonly channelGuid: string }

/** Lists the entries of the channels' queues, in the order of each queue. */
export async function listEntries(db: Db, channelGuids: readonly string[]): Promise<readonly EntryOfChannel[]> {
  return channelGuids.length === 0 ? [] : ofChannels(db, { guids: channelGuids })
}

/** Finds one of the matches that is in the queue of another channel. */
export async function findElsewhere(
  db: Db,
  channelGuid: string,
  matchGuids: readonly string[],
): Promise<{ readonly matchNumber: number; readonly channelName: string } | undefined> {
  if (matchGuids.length === 0) return undefined
  const [row] = await db.session.orm
    .select({ matchNumber: matches.number, channelName: channels.name })
    .from(channelEntries)
    .innerJoin(channels, eq(channels.guid, channelEntries.channelGuid))
    .innerJoin(matches, eq(matches.guid, channelEntries.matchGuid))
    .where(and(inArray(channelEntries.matchGuid, [...matchGuids]), ne(channelEntries.channelGuid, channelGuid)))
    .orderBy(asc(matches.number))
    .limit(1)
  return row
}

/** Replaces a queue and returns its new revision. Call it under `lockQueues`. */
export async function writeQueue(tx: Tx, channelGuid: string, entries: readonly QueueEntry[]): Promise<number> {
  const { orm } = tx.session
  // Rows of matches that stay are updated, not deleted and inserted again: a match's delay depends on its row.
  const rows = entries.map(({ matchGuid, status, plannedAt }, position) => {
    return { matchGuid, status, plannedAt: plannedAt?.toISOString() ?? null, position }
  })
  const written = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as n ("matchGuid" uuid, "status" text, "plannedAt" timestamptz, "position" smallint)`
  await orm.execute(sql`
    delete from ${channelEntries} e where e.channel_guid = ${channelGuid}
      and not exists (select from ${written} where n."matchGuid" = e.match_guid)`)
  // If two matches swap statuses, the old live or next one has to be queued first: there may be only one of each.
  await orm.execute(sql`
    update ${channelEntries} e set status = 'queued' from ${written}
    where e.channel_guid = ${channelGuid} and e.match_guid = n."matchGuid" and e.status <> n."status"
      and e.status in ('live', 'next')`)
  await orm.execute(sql`
    insert into ${channelEntries} (channel_guid, match_guid, position, status, planned_at)
    select ${channelGuid}::uuid, n."matchGuid", n."position", n."status", n."plannedAt" from ${written}
    on conflict (channel_guid, match_guid) do update
    set position = excluded.position, status = excluded.status, planned_at = excluded.planned_at`)
  const [row] = await orm
    .update(channels)
    .set({ queueRevision: sql`${channels.queueRevision} + 1` })
    .where(eq(channels.guid, channelGuid))
    .returning({ revision: channels.queueRevision })
  if (row === undefined) throw new Error('a channel whose queue was written is gone')
  return row.revision
}

const queued = statement('channels.are_queued', (orm) =>
  orm
    .select({ tournamentGuid: channels.tournamentGuid })
    .from(channels)
    .where(
      and(
        sql`${channels.tournamentGuid} = any(${sql.placeholder('guids')}::uuid[])`,
        sql`exists (select from ${channelEntries} e where e.channel_guid = ${channels.guid})`,
      ),
    )
    .groupBy(channels.tournamentGuid)
    .orderBy(channels.tournamentGuid),
)

/** Returns those of the tournaments that have a match in a queue, in the order of locking. */
/** Puts the matches of a tournament that are not over back into their queues. */
export async function requeueMatches(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${channelEntries} e set status = 'queued' from ${matches} m
    where m.guid = e.match_guid and m.tournament_guid = ${tournamentGuid} and m.status <> 'completed'
      and e.status in ('live', 'done')`)
}

export async function listQueueing(db: Db, tournaments: readonly string[]): Promise<readonly string[]> {
  return (await queued(db, { guids: tournaments })).map((row) => row.tournamentGuid)
}
