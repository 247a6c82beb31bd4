import { normaliseGuid } from '../../../../core/ids.ts'
import type { Problem } from '../../../../core/problem.ts'
import type { Bracket } from '../types.ts'
import { hasRound } from './structure.ts'

/**
 * The maximum numbers of brackets, of rounds in one bracket (the same as in `bestOfByRound`), and of matches that a
 * plan may name.
 */
export const maxBrackets = 200
export const maxRounds = 200
export const maxMatches = 2_000

/** The thing that a line of a plan applies to: a match, a whole bracket, or a round of it. */
export interface Target {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  readonly round: string | null
}

/** The brackets and matches that a plan names, in the shape of its request body. */
export interface Named {
  readonly brackets?: readonly { readonly bracketGuid: string }[]
  readonly matches?: readonly { readonly matchGuid: string }[]
}

/** The brackets, rounds and matches that a plan may name. */
export interface Nameable {
  /** Brackets of the tournament. */
  readonly brackets: readonly Pick<Bracket, 'guid' | 'format' | 'settings'>[]
  /** Keys of the rounds that have matches, by bracket. */
  readonly rounds: ReadonlyMap<string, ReadonlySet<string>>
  /** GUIDs of the named matches that belong to the tournament. */
  readonly matches: ReadonlySet<string>
}

/**
 * Checks that the brackets and matches of a plan belong to the tournament, that its rounds are valid in
 * `bestOfByRound`, and that each bracket and each match is named once. (pools: Which pool a match uses; match-flows:
 * Plan)
 * @param fault makes the error to throw from the text of the fault
 */
export function checkTargets(
  { brackets = [], matches = [] }: Named,
  targets: readonly Target[],
  known: Nameable,
  fault: (message: string) => Problem,
): void {
  checkOnce(
    brackets.map(({ bracketGuid }) => bracketGuid),
    'bracket',
  )
  checkOnce(
    matches.map(({ matchGuid }) => matchGuid),
    'match',
  )
  const byGuid = new Map(known.brackets.map((bracket) => [bracket.guid, bracket]))
  for (const { bracketGuid } of brackets) {
    if (byGuid.has(normaliseGuid(bracketGuid))) continue
    throw fault(`The tournament has no bracket ${bracketGuid}; load its brackets again.`)
  }
  for (const { matchGuid, bracketGuid, round } of targets) {
    if (matchGuid !== null && !known.matches.has(matchGuid)) {
      throw fault(`The tournament has no match ${matchGuid}; load its matches again.`)
    }
    const bracket = byGuid.get(bracketGuid ?? '')
    if (bracket === undefined || round === null) continue
    if (hasRound(round, known.rounds.get(bracket.guid) ?? noRounds, bracket)) continue
    throw fault(`The bracket ${bracket.guid} has no round ${round.slice(0, maxKeyLength)}.`)
  }

  function checkOnce(guids: readonly string[], noun: string): void {
    const seen = new Set<string>()
    for (const guid of guids.map(normaliseGuid)) {
      if (seen.has(guid)) throw fault(`The ${noun} ${guid} stands in the plan twice.`)
      seen.add(guid)
    }
  }
}

const noRounds: ReadonlySet<string> = new Set()
/** Longer than the key of any round. */
const maxKeyLength = 40
