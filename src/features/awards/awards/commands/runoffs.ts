import { conflict } from '../../../../core/problem.ts'
import { outcomesOf } from '../../../../engine/awards/outcomes.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { runoffsDue } from '../rules/results.ts'
import { countBallots } from '../store/ballots.ts'
import { listCategories } from '../store/editions.ts'
import { listNominees } from '../store/nominees.ts'
import { writeRunoff, writeRunoffNominees } from '../store/results.ts'
import type { Edition } from '../types.ts'

/** How long a runoff is open. (awards: States of an edition) */
const runoffMs = 72 * 3_600_000

/**
 * Begins a runoff of 72 hours among the tied nominees, who become public. The caller must hold the edition's lock and
 * change the status afterwards. (A9; awards: Details, 1)
 * @returns GUIDs of the categories
 * @throws Problem `award.no_ties`
 */
export async function beginRunoff(tx: Tx, edition: Edition, now: Date): Promise<readonly string[]> {
  const categories = await listCategories(tx, edition.guid)
  const nominees = await listNominees(tx, edition.guid)
  const due = runoffsDue(edition, outcomesOf(categories, nominees, await countBallots(tx, edition.guid)))
  if (due.length === 0) {
    throw conflict('award.no_ties', 'There is no first place for which the rules ask for a runoff.')
  }
  for (const { category, undecided } of due) await writeRunoffNominees(tx, category, undecided)
  const guids = due.map(({ category }) => category)
  await writeRunoff(tx, edition.guid, { categories: guids, closesAt: new Date(now.getTime() + runoffMs) })
  return guids
}
