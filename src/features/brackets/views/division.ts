import { type Static, Type } from 'typebox'
import type { Division } from '../../divisions/types.ts'
import { DivisionView, divisionView } from '../../divisions/views.ts'
import { BracketView } from './bracket.ts'

export const DivisionWithBracketsView = Type.Object(
  { ...DivisionView.properties, brackets: Type.Array(BracketView) },
  { title: 'DivisionWithBrackets' },
)
export type DivisionWithBracketsView = Static<typeof DivisionWithBracketsView>

export function divisionWithBracketsView(
  division: Division,
  brackets: readonly BracketView[],
): DivisionWithBracketsView {
  return { ...divisionView(division), brackets: [...brackets] }
}
