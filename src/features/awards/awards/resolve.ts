import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isDecider, maySeeEdition, maySeeNominees } from './policy.ts'
import { unknownEdition } from './rules/nominating.ts'
import { unknownNomination, unknownNominee } from './rules/nominees.ts'
import { findCategory, findEdition } from './store/editions.ts'
import { findNomination } from './store/nominations.ts'
import { findPlacedNominee } from './store/nominees.ts'
import { listDeciders } from './store/targets.ts'
import type { Category, Edition, Nomination, PlacedNominee } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    edition: Edition
    category: Category
    nomination: Nomination
    nominee: PlacedNominee
  }
}

/** Resolves `:edition` in a path, by GUID or id. An edition that the actor may not see is treated as unknown. */
export const resolveEdition: Resolver = async ({ db, actor }, value) => {
  const record = await findEdition(db, value)
  if (record === undefined || !maySeeEdition(actor, record)) throw unknownEdition()
  return { record }
}

/** Resolves `:category` in a path, by GUID, within the edition that precedes it. */
export const resolveCategory: Resolver = async ({ db, records }, value) => {
  const { guid: editionGuid } = records.edition as Edition
  const record = isGuid(value) ? await findCategory(db, normaliseGuid(value)) : undefined
  if (record?.editionGuid !== editionGuid) {
    throw missing('award.category_unknown', 'There is no such category in this edition.')
  }
  return { record }
}

/**
 * Resolves `:nomination` in a path, by GUID, within the category that precedes it. Other users' nominations are treated
 * as unknown. (awards: Records)
 */
export const resolveNomination: Resolver = async ({ db, actor, records }, value) => {
  const { guid: categoryGuid } = records.category as Category
  const record = isGuid(value) ? await findNomination(db, normaliseGuid(value)) : undefined
  if (record === undefined || record.categoryGuid !== categoryGuid || record.userGuid !== actor.guid) {
    throw unknownNomination()
  }
  return { record }
}

/** Resolves `:nominee` in a path, by GUID, within the category that precedes it, if any. */
export const resolveNominee: Resolver = async ({ db, actor, records }, value) => {
  const found = isGuid(value) ? await findPlacedNominee(db, normaliseGuid(value)) : undefined
  if (found === undefined) throw unknownNominee()
  const category = records.category as Category | undefined
  const isHere = category === undefined || found.categoryGuid === category.guid
  const record: PlacedNominee = {
    ...found,
    deciders: await listDeciders(db, found.category.nomineeType, found.targetGuid),
  }
  const maySee =
    maySeeEdition(actor, found.edition) && (maySeeNominees(actor, found.edition) || isDecider(actor, record))
  if (!isHere || !maySee) throw unknownNominee()
  return { record }
}
