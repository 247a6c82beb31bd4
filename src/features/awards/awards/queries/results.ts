import { Readable } from 'node:stream'
import { byteOrderMark, type For } from '../../../../core/csv.ts'
import { missing } from '../../../../core/problem.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { countBallots, listRoll, type Rolled } from '../store/ballots.ts'
import { listCategories } from '../store/editions.ts'
import { listNominees } from '../store/nominees.ts'
import * as turnout from '../store/turnout.ts'
import type { Edition } from '../types.ts'
import type { Published } from '../views/results.ts'
import { rollCsv, type TurnoutView, turnoutView } from '../views/turnout.ts'

/**
 * The published edition. Before the publication nobody can read results. (A4)
 * @throws Problem `award.not_published`
 */
export function publishedOf(edition: Edition): Published {
  const { status, publishedAt, results } = edition
  if (status !== 'published' || publishedAt === null || results === null) {
    throw missing('award.not_published', 'The results of these awards are not published yet.')
  }
  return { ...edition, publishedAt, results }
}

/** @throws Problem `award.not_published` */
export async function readResults(db: Db, edition: Edition) {
  const published = publishedOf(edition)
  const [categories, nominees] = await Promise.all([listCategories(db, edition.guid), listNominees(db, edition.guid)])
  return [published, categories, nominees] as const
}

const linesAtOnce = 1_000

/**
 * All ballots of a round as CSV, sorted as for the digest, so that the order reveals nothing. They are streamed,
 * because there may be millions. (A10)
 * @throws Problem `award.not_published`, `award.counts_withheld`
 */
export async function readBallots(db: Db, edition: Edition, round: number, purpose: For): Promise<Readable> {
  const { rules, guid } = publishedOf(edition)
  if (!rules.showCounts) {
    throw missing('award.counts_withheld', 'The rules of these awards withhold counts, and with them the ballots.')
  }
  const counts = (await countBallots(db, guid)).filter((count) => count.round === round)
  return Readable.from(
    (function* () {
      yield `${purpose === 'spreadsheet' ? byteOrderMark : ''}category,nominee\r\n`
      for (const { category, nominee, votes } of counts) {
        for (let left = votes; left > 0; left -= linesAtOnce) {
          yield `${category},${nominee}\r\n`.repeat(Math.min(left, linesAtOnce))
        }
      }
    })(),
  )
}

/** Whether voting has ended. */
function isClosed({ status }: Pick<Edition, 'status'>): boolean {
  return status === 'counting' || status === 'published'
}

export async function readTurnout(db: Db, edition: Edition): Promise<TurnoutView> {
  if (!isClosed(edition)) return turnoutView(edition, null)
  const [byJoining, byLinking, byTournamentsPlayed, sameHour, sameChatDay] = await Promise.all([
    turnout.countByJoining(db, edition.guid),
    turnout.countByLinking(db, edition.guid),
    turnout.countByPlayed(db, edition.guid),
    turnout.listByHour(db, edition.guid),
    turnout.listByChatDay(db, edition.guid),
  ])
  return turnoutView(edition, { byJoining, byLinking, byTournamentsPlayed, sameHour, sameChatDay })
}

const rolledAtOnce = 1_000

/** @throws Problem `award.not_closed` */
export async function readRoll(db: Db, edition: Edition, purpose: For): Promise<string> {
  if (!isClosed(edition)) throw missing('award.not_closed', 'There is a roll once voting is closed.')
  const roll: Rolled[] = []
  for (let after: string | null = null, more = true; more; ) {
    const found: Rolled[] = await listRoll(db, edition.guid, after, rolledAtOnce)
    const page = found.slice(0, rolledAtOnce)
    roll.push(...page.filter(({ categories }) => categories.length > 0))
    after = page.at(-1)?.userGuid ?? null
    more = found.length > rolledAtOnce
  }
  return rollCsv(await listCategories(db, edition.guid), roll, purpose)
}
