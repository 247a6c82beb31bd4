import { and, eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { fieldAnswers } from '../tables.ts'
import type { FieldAnswer } from '../types.ts'
import { byTeam } from './grouping.ts'

const answersOf = statement('teams.answers', (orm) =>
  orm
    .select({
      teamGuid: fieldAnswers.teamGuid,
      fieldGuid: fieldAnswers.fieldGuid,
      userGuid: fieldAnswers.userGuid,
      response: fieldAnswers.response,
      isPrivate: fieldAnswers.isPrivate,
    })
    .from(fieldAnswers)
    .where(sql`${fieldAnswers.teamGuid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns all answers to additional fields by team, including private ones. */
export async function listAnswers(
  db: Db,
  teamGuids: readonly string[],
): Promise<ReadonlyMap<string, readonly FieldAnswer[]>> {
  return byTeam(teamGuids, teamGuids.length === 0 ? [] : await answersOf(db, { guids: teamGuids }))
}

const givenSubjects = sql`(select * from unnest(${sql.placeholder('fieldGuids')}::uuid[], ${sql.placeholder('userGuids')}::text[]))`

const deleteAnswers = statement('teams.delete_answers', (orm) =>
  orm
    .delete(fieldAnswers)
    .where(
      and(
        eq(fieldAnswers.teamGuid, sql.placeholder('teamGuid')),
        sql`(${fieldAnswers.fieldGuid}, coalesce(${fieldAnswers.userGuid}::text, '')) in ${givenSubjects}`,
      ),
    ),
)

/**
 * Saves answers and replaces earlier ones to the same fields by the same team or player. An empty text deletes the
 * answer. (D49)
 */
export async function replaceAnswers(
  tx: Tx,
  teamGuid: string,
  answers: readonly FieldAnswer[],
  now: Date,
): Promise<void> {
  if (answers.length === 0) return
  await deleteAnswers(tx, {
    teamGuid,
    fieldGuids: answers.map((answer) => answer.fieldGuid),
    userGuids: answers.map((answer) => answer.userGuid ?? ''),
  })
  const kept = answers.filter((answer) => answer.response !== '')
  if (kept.length === 0) return
  await tx.session.orm.insert(fieldAnswers).values(kept.map((answer) => ({ ...answer, teamGuid, answeredAt: now })))
}

/** Deletes all answers of a player, in all teams. */
export async function deleteAnswersOf(tx: Tx, userGuid: string): Promise<void> {
  await tx.session.orm.delete(fieldAnswers).where(eq(fieldAnswers.userGuid, userGuid))
}
