import { useMemo } from 'react'
import type { Match, MatchCard } from '../../../client/generated.ts'
import { useDivisions } from '../data/tournament.ts'
import { inSentence, roundName } from './match.tsx'

/** The rounds of matches as their bracket names them, so that a round has the same name on every page. */

/** Gives the name as a sentence has it, such as "upper semi-finals". */
export type RoundOf = (match: Match | MatchCard) => string

/** The same function as long as no bracket changes. */
export function useRoundNames(): RoundOf {
  const divisions = useDivisions().data
  return useMemo(() => {
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
  }, [divisions])
}

/** The name as a heading. */
export const asTitle = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
