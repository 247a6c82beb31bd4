import { and, asc, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { pools } from '../tables.ts'
import type { Pool } from '../types.ts'
import { withdrawMaps } from './qualifier.ts'

const { nameKey: _key, ...columns } = getTableColumns(pools)

const byGuid = statement('pools.by_guid', (orm) =>
  orm
    .select(columns)
    .from(pools)
    .where(eq(pools.guid, sql.placeholder('guid'))),
)

export async function findPool(db: Db, guid: string): Promise<Pool | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const locked = statement('pools.lock', (orm) =>
  orm
    .select(columns)
    .from(pools)
    .where(eq(pools.guid, sql.placeholder('guid')))
    .for('no key update'),
)

/**
 * Every change of a pool takes this lock, so that changes run one after the other, each against the result of the one
 * before.
 */
export async function lockPool(tx: Tx, guid: string): Promise<Pool | undefined> {
  return (await locked(tx, { guid }))[0]
}

const lockedForShare = statement('pools.share', (orm) =>
  orm
    .select(columns)
    .from(pools)
    .where(eq(pools.guid, sql.placeholder('guid')))
    .for('share'),
)

/**
 * Takes a shared lock: until the transaction ends, other transactions may do the same, but none can change the pool.
 */
export async function lockPoolForShare(tx: Tx, guid: string): Promise<Pool | undefined> {
  return (await lockedForShare(tx, { guid }))[0]
}

const begunWith = statement('pools.begun_with', (orm) =>
  orm
    .select({ guid: flowSessions.guid })
    .from(flowSessions)
    .where(
      and(
        eq(flowSessions.tournamentGuid, sql.placeholder('tournamentGuid')),
        eq(flowSessions.poolGuid, sql.placeholder('guid')),
        isNotNull(flowSessions.matchGuid),
      ),
    )
    .limit(1),
)

/** Whether any session of a match began with the pool. Call under `lockPool`. */
export async function wasBegunWith(tx: Tx, { guid, tournamentGuid }: Pick<Pool, 'guid' | 'tournamentGuid'>) {
  return (await begunWith(tx, { guid, tournamentGuid })).length > 0
}

const ofTournament = statement('pools.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(pools)
    .where(eq(pools.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(pools.order), asc(pools.guid)),
)

/** In their order; a tournament has at most a hundred. */
export async function listPools(db: Db, tournamentGuid: string): Promise<readonly Pool[]> {
  return ofTournament(db, { tournamentGuid })
}

/** The key that pool names are compared by. */
interface NameKey {
  readonly nameKey: string
}

export type NewPool = Pick<
  Pool,
  | 'tournamentGuid'
  | 'name'
  | 'description'
  | 'kind'
  | 'order'
  | 'slots'
  | 'playlistTitle'
  | 'playlistAuthor'
  | 'playlistDescription'
  | 'previewRoles'
> &
  NameKey

export async function insertPool(tx: Tx, pool: NewPool, now: Date): Promise<Pool> {
  const [row] = await tx.session.orm
    .insert(pools)
    .values({ ...pool, status: 'draft', createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted pool was not returned')
  return row
}

export type PoolChanges = Partial<Omit<Pool, 'guid' | 'tournamentGuid' | 'createdAt'> & NameKey>

/** Every update increments `draftRevision`. Call under `lockPool`. */
export async function updatePool(tx: Tx, guid: string, changes: PoolChanges, now: Date): Promise<Pool> {
  const [row] = await tx.session.orm
    .update(pools)
    .set({ ...changes, draftRevision: sql`${pools.draftRevision} + 1`, updatedAt: now })
    .where(eq(pools.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated pool was not returned')
  return row
}

/** Sorts the pools of a tournament. Call under the lock of the tournament. */
export async function orderPools(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${pools} p set "order" = o.place - 1
    from unnest(${sql.param(guids)}::uuid[]) with ordinality as o (guid, place)
    where p.guid = o.guid and p."order" <> o.place - 1`)
}

export async function deletePool(tx: Tx, guid: string): Promise<void> {
  await withdrawMaps(tx, sql`m.pool_guid = ${guid}`)
  await tx.session.orm.delete(pools).where(eq(pools.guid, guid))
}

/** Maximum number of pools in one round. If there are more, the next round follows immediately. */
const dueAtOnce = 50

/** Pools with work that is due by the clock of the database. */
export interface DuePools {
  /** GUIDs, the longest due first. */
  readonly guids: readonly string[]
  /** Milliseconds until more is due; null while there is none. */
  readonly nextMs: number | null
}

/**
 * A statement that finds pools whose time has come. In a cancelled tournament nothing is published or announced, nor what
 * was due before the tournament was restored. (D25, P6)
 * @param from the pools that wait, with the time of each as `at`
 */
export function duePools(name: string, from: SQL): (db: Db) => Promise<DuePools> {
  const waiting = sql`(${from}) w join ${tournaments} t on t.guid = w.tournament_guid and t.status <> 'cancelled'
    and runs_here(w.tournament_guid) and (t.restored_at is null or w.at > t.restored_at)`
  const found = statement(name, (orm) =>
    orm
      .select({
        guids: sql<string[]>`array(select w.guid from ${waiting} where w.at <= clock.now
          group by w.guid order by min(w.at), w.guid limit ${sql.raw(`${dueAtOnce}`)})`,
        nextMs: sql<number | null>`(1000 * extract(epoch from (
          select w.at from ${waiting} where w.at > clock.now order by w.at limit 1) - clock.now))::float8`,
      })
      .from(sql`(select local_clock() as now offset 0) clock`),
  )
  return async (db) => {
    const [row] = await found(db)
    if (row === undefined) throw new Error('the database does not tell the time')
    return row.guids.length === dueAtOnce ? { ...row, nextMs: 0 } : row
  }
}

/** Finds scheduled pools whose publication time has come. */
export const findPoolsToPublish = duePools(
  'pools.to_publish',
  sql`select p.guid, p.tournament_guid, p.publish_at as at from ${pools} p
    where p.status = 'draft' and p.publish_at is not null`,
)

/** Finds pools with corrections that captains are now due to be notified of. */
export const findPoolsToAnnounce = duePools(
  'pools.to_announce',
  sql`select p.guid, p.tournament_guid, p.announce_at as at from ${pools} p where p.announce_at is not null`,
)

export async function writeAnnounced(tx: Tx, guid: string, announcedAt: Date): Promise<void> {
  await tx.session.orm.update(pools).set({ announcedAt, announceAt: null }).where(eq(pools.guid, guid))
}
