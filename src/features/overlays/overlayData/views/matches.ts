import type { TreeMatch } from '../../../../engine/scenes/tree.ts'
import type { Bracket, Division } from '../../../brackets/brackets/types.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import { labelOf, placeholderOf } from '../rules.ts'
import type { LastRound } from '../store.ts'

/** Returns a function that makes the labels of a tournament's matches. */
export function labeller(
  divisions: readonly Division[],
  brackets: readonly Bracket[],
  lastRounds: readonly LastRound[],
): (match: Pick<MatchView, 'division' | 'bracket' | 'section' | 'round' | 'groupIndex'>) => string {
  const bracketOf = new Map(brackets.map((bracket) => [bracket.guid, bracket]))
  const divisionOf = new Map(divisions.map((division) => [division.guid, division]))
  const last = new Map(lastRounds.map((row) => [`${row.bracketGuid} ${row.section}`, row.last]))
  return ({ division, bracket, section, round, groupIndex }) => {
    const { name = '', format = 'single_elimination' } = bracketOf.get(bracket) ?? {}
    const lastRound = last.get(`${bracket} ${section}`) ?? round
    return labelOf(
      { division: divisionOf.get(division)?.name ?? '', bracket: name, format, section, round, lastRound, groupIndex },
      divisions.length > 1,
    )
  }
}

export function treeMatch(match: MatchView, label: string): TreeMatch {
  const { guid, number, status, scheduledAt } = match
  return {
    guid,
    number,
    label,
    status,
    scheduledAt,
    sides: match.sides.map((side) => ({
      name: side.team?.name ?? null,
      imageUrl: side.team?.imageUrl ?? null,
      placeholder: placeholderOf(side),
      score: side.score,
      isWinner: side.result === 'win',
    })),
  }
}
