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

/** What is stored of the questions, however old. */
export async function listAnswers(db: Db, questions: readonly string[]): Promise<StoredAnswer[]> {
  return questions.length === 0 ? [] : ((await storedFor(db, { questions })) as StoredAnswer[])
}

/** Stores answers to distinct questions, each unless a later one is stored already. */
export async function upsertAnswers(tx: Tx, given: readonly StoredAnswer[]): Promise<void> {
  if (given.length === 0) return
  // Always in the same order, so that two processes that store the same do not deadlock.
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

/** Answers how many there were: at most `limit` of those that say that there is no such thing, from before a time. */
export async function deleteUnknown(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    delete from ${answers} where question in (
      select question from ${answers} where ${isUnknown(answers)} and answered_at < ${before.toISOString()}
      order by answered_at limit ${limit})`)
  return rowCount ?? 0
}
