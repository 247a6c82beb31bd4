import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
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
    update ${fieldAnswers} a set public_at = ${publicAt.toISOString()}::timestamptz from ${teams} t
    where t.guid = a.team_guid and t.tournament_guid = ${tournamentGuid} and a.is_private and a.public_at is null
      and a.field_guid = any(${sql.param([...fieldGuids])}::uuid[])
    returning a.team_guid as "teamGuid", a.field_guid as "fieldGuid"`)
  return rows
}

const tournamentsAtOnce = 100

/** Lists tournaments with answers that are due for publication. */
export async function listDuePublications(db: Db): Promise<readonly string[]> {
  const rows = await db.session.orm
    .selectDistinct({ guid: teams.tournamentGuid })
    .from(fieldAnswers)
    .innerJoin(teams, eq(teams.guid, fieldAnswers.teamGuid))
    .where(and(isNotNull(fieldAnswers.publicAt), lte(fieldAnswers.publicAt, sql`clock_timestamp()`)))
    .limit(tournamentsAtOnce)
  return rows.map(({ guid }) => guid)
}

/** Publishes the answers that are due. */
export async function publishAnswers(tx: Tx, tournamentGuid: string, now: Date): Promise<readonly Publication[]> {
  const { rows } = await tx.session.orm.execute<Row>(sql`
    update ${fieldAnswers} a set is_private = false, public_at = null from ${teams} t
    where t.guid = a.team_guid and t.tournament_guid = ${tournamentGuid} and a.public_at <= ${now.toISOString()}::timestamptz
    returning a.team_guid as "teamGuid", a.field_guid as "fieldGuid"`)
  return rows
}
