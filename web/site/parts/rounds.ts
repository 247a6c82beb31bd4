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

/** Gives the number of a match; where there are several divisions, each of which counts from 1, with a short form of its own. */
export type CodeOf = (match: Pick<Match | MatchCard, 'number' | 'division'>) => string

/** The same function as long as no division changes. */
export function useMatchCodes(): CodeOf {
  const divisions = useDivisions().data
  return useMemo(() => {
    if (divisions === undefined || divisions.length < 2) return ({ number }) => String(number)
    const short = shortIds(divisions)
    return ({ number, division }) =>
      `${short.get(typeof division === 'string' ? division : division.guid) ?? ''} ${number}`.trim()
  }, [divisions])
}

const mostLetters = 4

/** What tells the ids of divisions apart, by their GUIDs: of `division-a` and `division-b` the letters `a` and `b`. */
export function shortIds(
  divisions: readonly { readonly guid: string; readonly id: string }[],
): ReadonlyMap<string, string> {
  const [first = '', ...others] = divisions.map(({ id }) => id)
  let common = 0
  while (common < first.length && others.every((id) => id[common] === first[common])) common++
  const from = first.lastIndexOf('-', common - 1) + 1
  return new Map(divisions.map(({ guid, id }) => [guid, id.slice(from).slice(0, mostLetters)]))
}

/** The name as a heading. */
export const asTitle = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
