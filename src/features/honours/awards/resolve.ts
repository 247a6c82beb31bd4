import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { maySeeEdition } from './policy.ts'
import { findCategory, findEdition } from './store/editions.ts'
import type { Category, Edition } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    edition: Edition
    category: Category
  }
}

/** `:edition` in an address, by GUID or id. One that the actor may not see does not exist. */
export const resolveEdition: Resolver = async ({ db, actor }, value) => {
  const record = await findEdition(db, value)
  if (record === undefined || !maySeeEdition(actor, record)) {
    throw missing('award.unknown', 'There is no such edition of awards.')
  }
  return { record }
}

/** `:category` in an address, by GUID, in the edition that stands before it. */
export const resolveCategory: Resolver = async ({ db, records }, value) => {
  const { guid: editionGuid } = records.edition as Edition
  const record = isGuid(value) ? await findCategory(db, normaliseGuid(value)) : undefined
  if (record?.editionGuid !== editionGuid) {
    throw missing('award.category_unknown', 'There is no such category in this edition.')
  }
  return { record }
}
