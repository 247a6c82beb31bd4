import { type Static, Type } from 'typebox'
import { Guid, Instant } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Division } from '../types.ts'
import { BracketView } from './bracket.ts'

/** The schema of a division, without its brackets. (additions: Divisions, brackets, matches) */
export const DivisionView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id, unique in the tournament.', examples: ['a'] }),
    name: Type.String({ examples: ['Division A'] }),
    order: Type.Integer({ description: 'Divisions are listed by it.', examples: [1] }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Division' },
)
export type DivisionView = Static<typeof DivisionView>

export function divisionView({ guid, id, name, order, createdAt, updatedAt }: Division): DivisionView {
  return { guid, id, name, order, createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) }
}

const ListedBracketView = Type.Object(
  {
    ...BracketView.properties,
    limited: Type.Optional(
      Type.Boolean({
        description:
          'True where the tournament has more entrants and matches than one reply holds: then `entrants` and `rounds` are empty here, and the bracket itself tells them.',
      }),
    ),
  },
  { title: 'ListedBracket' },
)
export type ListedBracketView = Static<typeof ListedBracketView>

export const DivisionWithBracketsView = Type.Object(
  { ...DivisionView.properties, brackets: Type.Array(ListedBracketView) },
  { title: 'DivisionWithBrackets' },
)
export type DivisionWithBracketsView = Static<typeof DivisionWithBracketsView>

export function divisionWithBracketsView(
  division: Division,
  brackets: readonly ListedBracketView[],
): DivisionWithBracketsView {
  return { ...divisionView(division), brackets: [...brackets] }
}
