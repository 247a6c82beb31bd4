import { type Actor, isSignedIn } from '../../../../core/actor.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { maySeeNominees } from '../policy.ts'
import { isRecordType } from '../rules/nominating.ts'
import { shuffledFor } from '../rules/nominees.ts'
import { isOpen, roundOf } from '../rules/voting.ts'
import { listCategories } from '../store/editions.ts'
import { countMerged } from '../store/nominations.ts'
import { listNominees, listNomineesOf } from '../store/nominees.ts'
import { listTargets, type ShownTarget } from '../store/targets.ts'
import { listOwnVotes, listRolled } from '../store/votes.ts'
import type { Category, Edition, Nominee, Target } from '../types.ts'
import { categoryView, type EditionView, editionView } from '../views/edition.ts'
import type { NomineeFacts } from '../views/nominee.ts'

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
