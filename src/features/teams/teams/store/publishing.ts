import { sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { fieldAnswers, teams } from '../tables.ts'

/** The answers of one team to one field. */
export interface Publication {
  readonly teamGuid: string
  readonly fieldGuid: string
}

interface Row extends Publication, Record<string, unknown> {}

/** Cancels the publication of private answers to all fields that are not in the list. */
export async function cancelPublications(tx: Tx, tournamentGuid: string, fieldGuids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${fieldAnswers} a set public_at = null from ${teams} t
    where t.guid = a.team_guid and t.tournament_guid = ${tournamentGuid} and a.public_at is not null
      and not a.field_guid = any(${sql.param([...fieldGuids])}::uuid[])`)
}

/** Schedules private answers to these fields for publication. Answers that are scheduled already keep their date. */
export async function schedulePublications(
  tx: Tx,
  tournamentGuid: string,
  fieldGuids: readonly string[],
  publicAt: Date,
): Promise<readonly Publication[]> {
  const { rows } = await tx.session.orm.execute<Row>(sql`
    update ${fieldAnswers} a set public_at = ${publicAt.toISOString()}::timestamptz
    from ${teams} t join ${tournaments} r on r.guid = t.tournament_guid
    where t.guid = a.team_guid and t.tournament_guid = ${tournamentGuid} and a.is_private
      and (a.public_at is null or not ${counts})
      and a.field_guid = any(${sql.param([...fieldGuids])}::uuid[])
    returning a.team_guid as "teamGuid", a.field_guid as "fieldGuid"`)
  return rows
}

const tournamentsAtOnce = 100

/** Tournaments with answers that are due for publication. */
export interface DuePublications {
  /** GUIDs, the longest due first. */
  readonly tournaments: readonly string[]
  /** Milliseconds until more is due; null while there is none. */
  readonly nextMs: number | null
}

/** What was to become public before a tournament was restored waits until its teams are told anew. (P6) */
const counts = sql`(r.restored_at is null or a.public_at > r.restored_at)`
const waiting = sql`${fieldAnswers} a join ${teams} t on t.guid = a.team_guid and runs_here(t.tournament_guid)
  join ${tournaments} r on r.guid = t.tournament_guid and ${counts}`

const due = statement('field_answers.due', (orm) =>
  orm
    .select({
      tournaments: sql<string[]>`array(select t.tournament_guid from ${waiting}
        where a.public_at is not null and a.public_at <= clock.now
        group by t.tournament_guid order by min(a.public_at), t.tournament_guid limit ${sql.raw(`${tournamentsAtOnce}`)})`,
      nextMs: sql<number | null>`(1000 * extract(epoch from (
        select a.public_at from ${waiting}
        where a.public_at is not null and a.public_at > clock.now order by a.public_at limit 1) - clock.now))::float8`,
    })
    .from(sql`(select local_clock() as now offset 0) clock`),
)

/** Finds answers that are due for publication by the clock of the database. */
export async function findDuePublications(db: Db): Promise<DuePublications> {
  const [row] = await due(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.tournaments.length === tournamentsAtOnce ? { ...row, nextMs: 0 } : row
}

/** Publishes the answers that are due. */
export async function publishAnswers(tx: Tx, tournamentGuid: string, now: Date): Promise<readonly Publication[]> {
  const { rows } = await tx.session.orm.execute<Row>(sql`
    update ${fieldAnswers} a set is_private = false, public_at = null
    from ${teams} t join ${tournaments} r on r.guid = t.tournament_guid
    where t.guid = a.team_guid and t.tournament_guid = ${tournamentGuid} and ${counts}
      and a.public_at <= ${now.toISOString()}::timestamptz
    returning a.team_guid as "teamGuid", a.field_guid as "fieldGuid"`)
  return rows
}
