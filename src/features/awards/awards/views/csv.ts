import type { Cell } from '../../../../core/csv.ts'
import type { Category, Nominee } from '../types.ts'

export const nomineesHeader = ['category guid', 'category', 'nominee guid', 'nominee', 'link', 'declined']

/** Ordered by GUID within a category, so that the order reveals nothing. (awards: Operations) */
export function nomineesRows(categories: readonly Category[], nominees: readonly Nominee[]): Cell[][] {
  const byCategory = Map.groupBy(nominees, ({ categoryGuid }) => categoryGuid)
  return categories.flatMap((category) =>
    (byCategory.get(category.guid) ?? []).map(({ guid, label, link, declinedAt }) => [
      ...[category.guid, category.name, guid, label, link],
      declinedAt === null ? 'no' : 'yes',
    ]),
  )
}
