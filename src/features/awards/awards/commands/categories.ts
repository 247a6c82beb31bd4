import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { readName } from '../../../../core/names.ts'
import { readMarkdown } from '../../../../core/text.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { useShown } from '../../../../infra/media/texts.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { checkIsGiven, unknownBadge } from '../../badges/rules/badges.ts'
import { lockBadge } from '../../badges/store/badges.ts'
import {
  checkCategoryChange,
  checkOrder,
  checkRoomForCategory,
  maxCategoryDescriptionCharacters,
} from '../rules/nominees.ts'
import { checkPhase } from '../rules/phases.ts'
import { fault } from '../rules/settings.ts'
import * as store from '../store/categories.ts'
import { findCategory, listCategories } from '../store/editions.ts'
import { categorySubject } from '../store/media.ts'
import type { Category, NomineeType } from '../types.ts'
import { lockedEdition, touchEdition } from './editions.ts'

export interface CategoryInput {
  readonly name?: string
  readonly description?: string
  readonly nomineeType?: NomineeType
  readonly shortlistSize?: number
  readonly badgeGuid?: string | null
}

const names = ['name', 'description', 'nomineeType', 'shortlistSize', 'badgeGuid'] as const

const defaultShortlist = 10

/**
 * Adds a category, which is allowed until nominations close. (awards: States of an edition)
 * @throws Problem `award.unknown`, `award.phase_wrong`, `award.categories_limit`, `award.invalid`, `badge.unknown`,
 * `badge.retired`
 */
export async function addCategory(
  tx: Tx,
  actor: SignedIn,
  editionGuid: string,
  input: CategoryInput & Required<Pick<CategoryInput, 'name' | 'nomineeType'>>,
  now: Date,
): Promise<Category> {
  checkPhase(await lockedEdition(tx, editionGuid), ['draft', 'nominating'])
  checkRoomForCategory(await store.countCategories(tx, editionGuid))
  const { nomineeType, shortlistSize = defaultShortlist, badgeGuid = null } = input
  const words = readWords(input)
  await lockWinnersBadge(tx, badgeGuid)
  const category = await store.insertCategory(tx, {
    editionGuid,
    nomineeType,
    shortlistSize,
    badgeGuid,
    name: words.name ?? '',
    description: words.description ?? '',
  })
  await useText(tx, actor, category, now)
  await touchEdition(tx, editionGuid, now)
  emit(tx, {
    type: 'award.category_created',
    subject: editionGuid,
    actor: actor.guid,
    after: { category: category.guid, ...membersOf(category, names) },
  })
  return category
}

/**
 * Changes the given members of a category. If all have the given values already, nothing is saved or emitted.
 * @throws Problem `award.unknown`, `award.category_unknown`, `award.categories_fixed`, `award.invalid`,
 * `badge.unknown`, `badge.retired`
 */
export async function changeCategory(
  tx: Tx,
  actor: SignedIn,
  found: Category,
  input: CategoryInput,
  now: Date,
): Promise<Category> {
  const edition = await lockedEdition(tx, found.editionGuid)
  const before = (await findCategory(tx, found.guid)) ?? found
  const next = { ...before, ...input, ...readWords(input) }
  const changed = names.filter((name) => next[name] !== before[name])
  if (changed.length === 0) return before
  checkCategoryChange(edition, {
    isTypeChanged: changed.includes('nomineeType'),
    isMoreThanBadge: changed.some((name) => name !== 'badgeGuid'),
  })
  if (changed.includes('badgeGuid')) await lockWinnersBadge(tx, next.badgeGuid)
  const after = await store.updateCategory(
    tx,
    found.guid,
    Object.fromEntries(changed.map((name) => [name, next[name]])) as store.CategoryChanges,
  )
  if (changed.includes('description')) await useText(tx, actor, after, now)
  await touchEdition(tx, edition.guid, now)
  emit(tx, {
    type: 'award.category_updated',
    subject: edition.guid,
    actor: actor.guid,
    before: membersOf(before, changed),
    after: { category: found.guid, ...membersOf(after, changed) },
  })
  return after
}

/** @throws Problem `award.unknown`, `award.phase_wrong` */
export async function removeCategory(tx: Tx, actor: SignedIn, category: Category, now: Date): Promise<void> {
  const edition = await lockedEdition(tx, category.editionGuid)
  checkPhase(edition, ['draft'])
  await store.deleteCategory(tx, category.guid)
  await endUsages(tx, [category.guid], now)
  await touchEdition(tx, edition.guid, now)
  emit(tx, {
    type: 'award.category_deleted',
    subject: edition.guid,
    actor: actor.guid,
    before: { category: category.guid, ...membersOf(category, names) },
  })
}

/** @throws Problem `award.unknown`, `award.phase_wrong`, `award.order_invalid` */
export async function putInOrder(
  tx: Tx,
  actor: SignedIn,
  editionGuid: string,
  given: readonly string[],
  now: Date,
): Promise<readonly Category[]> {
  checkPhase(await lockedEdition(tx, editionGuid), ['draft', 'nominating', 'shortlisting', 'voting', 'counting'])
  const guids = given.map((guid) => guid.toLowerCase())
  const before = await listCategories(tx, editionGuid)
  checkOrder(before, guids)
  if (before.every(({ guid }, index) => guid === guids[index])) return before
  await store.orderCategories(tx, guids)
  await touchEdition(tx, editionGuid, now)
  emit(tx, {
    type: 'award.categories_ordered',
    subject: editionGuid,
    actor: actor.guid,
    after: { categories: guids },
  })
  return listCategories(tx, editionGuid)
}

async function useText(tx: Tx, actor: SignedIn, { guid, description }: Category, now: Date): Promise<void> {
  const use = { subject: categorySubject, subjectGuid: guid } as const
  await useShown(tx, use, { description }, { room: { owners: [actor.guid] }, now })
}

function readWords({ name, description, badgeGuid }: CategoryInput) {
  return {
    ...(name === undefined ? {} : { name: readCategoryName(name) }),
    ...(description === undefined ? {} : { description: readMarkdown(description, maxCategoryDescriptionCharacters) }),
    ...(badgeGuid == null ? {} : { badgeGuid: badgeGuid.toLowerCase() }),
  }
}

function readCategoryName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw fault('name', name.reason)
  return name.value
}

/** Locks the badge for winners, which must exist and not be retired. (awards: Records; B4) */
async function lockWinnersBadge(tx: Tx, guid: string | null): Promise<void> {
  if (guid === null) return
  const badge = await lockBadge(tx, guid.toLowerCase())
  if (badge === undefined) throw unknownBadge()
  checkIsGiven(badge)
}
