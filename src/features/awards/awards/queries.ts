import { Readable } from 'node:stream'
import { type Actor, isSignedIn, type SignedIn } from '../../../core/actor.ts'
import { byteOrderMark, type For } from '../../../core/csv.ts'
import { isGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Services } from '../../../services.ts'
import { findUser } from '../../people/users/store/users.ts'
import { findTeamByGuid } from '../../teams/teams/store/teams.ts'
import { isPublic } from '../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import { badgeManagers } from '../badges/policy.ts'
import { maySeeNominees } from './policy.ts'
import { isRecordType, unknownTarget } from './rules/nominating.ts'
import { shuffledFor } from './rules/nominees.ts'
import { isOpen, roundOf } from './rules/voting.ts'
import { countBallots, listRoll, type Rolled } from './store/ballots.ts'
import { listCategories } from './store/editions.ts'
import { countMerged } from './store/nominations.ts'
import { listNominees, listNomineesOf } from './store/nominees.ts'
import { listTargets, type ShownTarget } from './store/targets.ts'
import * as turnout from './store/turnout.ts'
import { listOwnVotes, listRolled } from './store/votes.ts'
import type { Category, Edition, Nominee, NomineeType, Target } from './types.ts'
import { categoryView, type EditionView, editionView } from './views/edition.ts'
import type { NomineeFacts } from './views/nominee.ts'
import type { Published } from './views/results.ts'
import { rollCsv, type TurnoutView, turnoutView } from './views/turnout.ts'

/**
 * The view of an edition for its reader, and the records that it depends on. A vote is not among these, so that no
 * follower is notified of one. (A4, RT6)
 */
export async function showEdition(
  db: Db,
  actor: Actor,
  edition: Edition,
  depends: (...tags: readonly string[]) => void = () => {},
): Promise<EditionView> {
  depends(edition.guid)
  const isShown = maySeeNominees(actor, edition)
  const [categories, nominees, voted] = await Promise.all([
    listCategories(db, edition.guid),
    isShown ? listNominees(db, edition.guid) : null,
    isSignedIn(actor) ? listVoted(db, edition, actor.guid) : null,
  ])
  const facts = await factsOf(db, actor, edition, categories, nominees ?? [], depends)
  const byCategory = nominees && Map.groupBy(nominees, ({ categoryGuid }) => categoryGuid)
  const views = categories.map((category) => {
    const own = byCategory && shuffledFor(actor.guid, byCategory.get(category.guid) ?? [])
    return categoryView(category, own, facts)
  })
  return editionView(edition, views, voted)
}

/** The edition with its texts, and those of its categories, as HTML. (D36) */
export async function withHtml(markdown: Services['markdown'], edition: EditionView): Promise<EditionView> {
  const { guid, description, categories } = edition
  const texts = [description, ...categories.map((category) => category.description)]
  const [html = null, ...ofCategories] = await markdown.render(texts, guid)
  return {
    ...edition,
    html: { description: html },
    categories: categories.map((category, index) => ({
      ...category,
      html: { description: ofCategories[index] ?? null },
    })),
  }
}

/**
 * The categories in which the user has voted: while a category is open, by the user's vote; afterwards, by the roll. A
 * vote for a nominee that has declined does not count. (A13)
 */
async function listVoted(db: Db, edition: Edition, userGuid: string): Promise<string[]> {
  const [votes, rolled] = await Promise.all([
    listOwnVotes(db, edition.guid, userGuid),
    listRolled(db, edition.guid, userGuid),
  ])
  const standing = votes.filter(({ round, declinedAt }) => round === roundOf(edition) && declinedAt === null)
  const open = standing.map(({ categoryGuid }) => categoryGuid).filter((guid) => isOpen(edition, guid))
  return [...open, ...rolled.filter((guid) => !isOpen(edition, guid))]
}

/** The view of one category for its reader, and the records that it depends on. */
export async function showCategory(
  db: Db,
  actor: Actor,
  edition: Edition,
  category: Category,
  depends: (...tags: readonly string[]) => void = () => {},
) {
  depends(edition.guid)
  const nominees = maySeeNominees(actor, edition) ? await listNomineesOf(db, category.guid) : null
  const facts = await factsOf(db, actor, edition, [category], nominees ?? [], depends)
  return categoryView(category, nominees && shuffledFor(actor.guid, nominees), facts)
}

async function factsOf(
  db: Db,
  actor: Actor,
  edition: Edition,
  categories: readonly Category[],
  nominees: readonly Nominee[],
  depends: (...tags: readonly string[]) => void,
): Promise<NomineeFacts> {
  const isManager = badgeManagers.allows(actor, {})
  const [targets, counts] = await Promise.all([
    loadTargets(db, categories, nominees, depends),
    isManager ? countMerged(db, edition.guid) : null,
  ])
  return { edition, targets, counts }
}

/** The records that are named by nominees or nominations of these categories, by GUID. */
export async function loadTargets(
  db: Db,
  categories: readonly Category[],
  named: readonly (Pick<Target, 'targetGuid'> & { readonly categoryGuid: string })[],
  depends: (...tags: readonly string[]) => void = () => {},
): Promise<ReadonlyMap<string, ShownTarget>> {
  const types = new Map(categories.map(({ guid, nomineeType }) => [guid, nomineeType]))
  const guids = { user: [] as string[], tournament: [] as string[], team: [] as string[] }
  for (const { categoryGuid, targetGuid } of named) {
    const type = types.get(categoryGuid)
    if (targetGuid !== null && type !== undefined && isRecordType(type)) guids[type].push(targetGuid)
  }
  const { shown, tags } = await listTargets(db, guids)
  depends(...tags)
  return shown
}

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

interface Found {
  readonly guid: string
  readonly name: string
}

/**
 * Finds a record by its identifier. Everybody must be allowed to see it, because nominees become public. (D5, D6)
 * @throws Problem `award.target_unknown`
 */
export async function findTarget(
  db: Db,
  actor: SignedIn,
  type: Extract<NomineeType, 'user' | 'tournament' | 'team'>,
  identifier: string,
): Promise<Found> {
  const found = await finders[type](db, identifier === '@me' && type === 'user' ? actor.guid : identifier)
  if (found === undefined) throw unknownTarget(type)
  return found
}

type Finder = (db: Db, identifier: string) => Promise<Found | undefined>

const findPublicTournament: Finder = async (db, identifier) => {
  const tournament = (await findTournamentFor(db, identifier, null))?.tournament
  return tournament !== undefined && isPublic(tournament) ? tournament : undefined
}

const finders = {
  user: async (db: Db, identifier: string) => {
    const user = await findUser(db, identifier)
    return user && { guid: user.guid, name: user.preferredName }
  },
  tournament: findPublicTournament,
  // The short id of a team is unique only within its tournament, so a team needs a GUID.
  team: async (db: Db, identifier: string) => {
    const team = isGuid(identifier) ? await findTeamByGuid(db, identifier.toLowerCase()) : undefined
    const isShown = team !== undefined && (await findPublicTournament(db, team.tournamentGuid)) !== undefined
    return isShown ? team : undefined
  },
} satisfies Readonly<Record<string, Finder>>
