import { type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { divisions } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { rehearsals } from '../../../planning/rehearsals/tables.ts'
import { flowSessions } from '../tables.ts'

const random = sql`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`

/** In a rehearsal, the seed comes from what all copies have in common, and which session of the match it is. */
const rehearsed = sql`(
  select sha256(convert_to(json_build_array(r.seed, d.id, m.number,
    (select count(*) from ${flowSessions} s where s.match_guid = m.guid), ${sql.placeholder('position')}::int)::text, 'UTF8'))
  from ${rehearsals} r
  join ${matches} m on m.tournament_guid = r.guid and m.guid = ${sql.placeholder('matchGuid')}::uuid
  join ${divisions} d on d.guid = m.division_guid)`

const seeds = statement('flow_sessions.new_seed', (orm) =>
  orm
    .select({ seed: sql<Buffer>`coalesce(x.seed, ${random})`, isRehearsed: sql<boolean>`x.seed is not null` })
    .from(sql`(select ${rehearsed} as seed) x`),
)

interface Seeded {
  readonly matchGuid: string | null
  /** Of the last row of its log; 0 before it begins. */
  readonly position: number
}

export interface NewSeed {
  /** 32 random bytes. They are a digest of more than 256 random bits. In a rehearsal they come from its seed. (R4) */
  readonly seed: Buffer
  /** Whether they come from the seed of a rehearsal. */
  readonly isRehearsed: boolean
}

export async function newSeed(tx: Tx, { matchGuid, position }: Seeded): Promise<NewSeed> {
  const [row] = await seeds(tx, { matchGuid, position })
  if (row === undefined) throw new Error('the database makes no seed')
  return row
}

const now = sql`clock.now`
const here = sql`runs_here(s.tournament_guid)`
/** The maximum of sessions in one query; if there are more, the next query follows immediately. */
const atOnce = 64

const found = (where: SQL, order: SQL) =>
  sql<
    string[]
  >`array(select s.guid from ${flowSessions} s where ${where} and ${here} order by ${order} limit ${sql.raw(String(atOnce))})`

const due = statement('flow_sessions.due', (orm) =>
  orm
    .select({
      lapsed: found(sql`s.lapses_at <= ${now}`, sql`s.lapses_at`),
      overdue: found(sql`s.due_at <= ${now} and s.due_at is not null and not s.is_overdue`, sql`s.due_at`),
      shown: found(sql`s.shows_at <= ${now}`, sql`s.shows_at`),
      expired: found(sql`s.expires_at <= ${now}`, sql`s.expires_at`),
      nextMs: sql<number | null>`(extract(epoch from least(
        (select min(s.lapses_at) from ${flowSessions} s where s.lapses_at > ${now} and ${here}),
        (select min(s.due_at) from ${flowSessions} s where s.due_at > ${now} and s.due_at is not null and not s.is_overdue and ${here}),
        (select min(s.shows_at) from ${flowSessions} s where s.shows_at > ${now} and ${here}),
        (select min(s.expires_at) from ${flowSessions} s where s.expires_at > ${now} and ${here})) - ${now}) * 1000)::float8`,
    })
    .from(sql`(select local_clock() as now offset 0) clock`),
)

export interface DueSessions {
  readonly lapsed: readonly string[]
  readonly overdue: readonly string[]
  readonly shown: readonly string[]
  readonly expired: readonly string[]
  /** Milliseconds until the next session is due; null while no clock runs. */
  readonly nextMs: number | null
}

/** Sessions that are due by the clock of the database. */
export async function findDueSessions(db: Db): Promise<DueSessions> {
  const [row] = await due(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  const isFull = [row.lapsed, row.overdue, row.shown, row.expired].some(({ length }) => length === atOnce)
  return { ...row, nextMs: isFull ? 0 : row.nextMs }
}
