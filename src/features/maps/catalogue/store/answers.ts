import { sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { catalogueAnswers as answers, isUnknown } from '../tables.ts'
import type { StoredAnswer } from '../types.ts'

const storedFor = statement('catalogue.answers', (orm) =>
  orm
    .select()
    .from(answers)
    .where(sql`${answers.question} = any(${sql.placeholder('questions')}::text[])`),
)

/** Returns the stored answers to the questions, of any age. */
export async function listAnswers(db: Db, questions: readonly string[]): Promise<StoredAnswer[]> {
  return questions.length === 0 ? [] : ((await storedFor(db, { questions })) as StoredAnswer[])
}

/** Saves answers to distinct questions. Does not overwrite a later answer. */
export async function upsertAnswers(tx: Tx, given: readonly StoredAnswer[]): Promise<void> {
  if (given.length === 0) return
  // Always in the same order, so that two processes that save the same answers do not deadlock.
  const rows = given.toSorted((a, b) => (a.question < b.question ? -1 : 1))
  await tx.session.orm
    .insert(answers)
    .values(rows)
    .onConflictDoUpdate({
      target: answers.question,
      set: { answer: sql`excluded.answer`, answeredAt: sql`excluded.answered_at` },
      setWhere: sql`${answers.answeredAt} < excluded.answered_at`,
    })
}

/** Deletes at most `limit` negative answers from before a time. Returns the number deleted. */
export async function deleteUnknown(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    delete from ${answers} where question in (
      select question from ${answers} where ${isUnknown(answers)} and answered_at < ${before.toISOString()}
      order by answered_at limit ${limit})`)
  return rowCount ?? 0
}
