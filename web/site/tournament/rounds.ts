import type { Match, MatchCard } from '../../../client/generated.ts'
import { useDivisions } from '../data/tournament.ts'
import { inSentence, roundName } from '../parts/match.tsx'

/** The rounds of matches as their bracket names them, so that a round has the same name on every page. */

/** Gives the name as a sentence has it, such as "upper semi-finals". */
export function useRoundNames(): (match: Match | MatchCard) => string {
  const divisions = useDivisions().data
  const rounds = new Map(
    divisions?.flatMap(({ brackets }) =>
      brackets.flatMap((bracket) =>
        bracket.rounds.map(({ section, number, name }) => [`${bracket.guid} ${section} ${number}`, name] as const),
      ),
    ),
  )
  return (match) => {
    const { bracket, section, round } = match
    const name = rounds.get(`${typeof bracket === 'string' ? bracket : bracket.guid} ${section} ${round}`)
    return name === undefined ? roundName(match) : inSentence(name)
  }
}

/** The name as a heading. */
export const asTitle = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
