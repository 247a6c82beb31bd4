import type { Official } from '../../../../engine/scheduling/types.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { Wish } from '../types.ts'
import type { Facts } from './problem.ts'
import { type Busy, byText } from './times.ts'

type Known = Pick<Facts, 'matches' | 'officials' | 'members'>

export function teamsIn({ team1Guid, team2Guid }: MatchRecord): readonly string[] {
  return [team1Guid, team2Guid].filter((team) => team !== null)
}

/** All players and officials of a match, without duplicates. */
export function peopleAt(known: Known, match: MatchRecord): readonly string[] {
  return [...new Set([...playersOf(known, match), ...officialsAt(known, match)])]
}

function playersOf({ members }: Known, match: MatchRecord): readonly string[] {
  return teamsIn(match).flatMap((team) => members.get(team) ?? [])
}

function officialsAt({ officials }: Known, { guid }: MatchRecord): readonly string[] {
  return (officials.get(guid) ?? []).map(({ userGuid }) => userGuid)
}

/**
 * Returns the users that each match keeps busy in any case, sorted: all members of its teams, and its officials in
 * roles that the proposal does not fill, who stay. A user cannot be in two places. Users who only play are left out:
 * they are in one team, so they are busy exactly when the team is. (D30; issue: a first scheduler)
 */
export function peopleHeld(
  known: Known,
  { officialsPerMatch }: Pick<Wish, 'officialsPerMatch'>,
  near: readonly Busy[],
  candidates: readonly Pick<Official, 'id'>[],
): ReadonlyMap<string, readonly string[]> {
  const staying = new Map(
    known.matches.map(({ guid }) => [
      guid,
      (known.officials.get(guid) ?? [])
        .filter(({ role }) => officialsPerMatch[role] === undefined)
        .map(({ userGuid }) => userGuid),
    ]),
  )
  const working = new Set([
    ...candidates.map(({ id }) => id),
    ...[...staying.values()].flat(),
    ...near.flatMap(({ match }) => officialsAt(known, match)),
  ])
  return new Map(
    known.matches.map((match) => {
      const held = new Set([...playersOf(known, match), ...(staying.get(match.guid) ?? [])])
      return [match.guid, [...held].filter((person) => working.has(person)).sort(byText)]
    }),
  )
}
