import type { SchedulingMatch } from '../../../../engine/scheduling/types.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { beginOf, byText, type Rules } from './times.ts'
import { isAgainstNobody } from './wish.ts'

type Board = ReadonlyMap<string, MatchRecord>

/**
 * Returns each match with the matches that must be played before it and its time limits: its teams come from earlier
 * matches and go on to later ones. Earlier and later matches that have a time already limit its time. An earlier match
 * that has no time, and is not to be placed with it, keeps it from being placed.
 * @param people the users that each match keeps busy
 */
export function orderOf(
  matches: readonly MatchRecord[],
  others: readonly MatchRecord[],
  { minutesPerMatch, minRestMinutes, earliest, latest }: Rules,
  people: ReadonlyMap<string, readonly string[]>,
): readonly SchedulingMatch[] {
  const board: Board = new Map([...matches, ...others].map((match) => [match.guid, match]))
  const chosen = new Set(matches.map(({ guid }) => guid))
  const rest = minRestMinutes * 60_000
  const length = minutesPerMatch * 60_000
  const timesOf = (near: readonly MatchRecord[]) =>
    near
      .filter(({ guid }) => !chosen.has(guid))
      .map(beginOf)
      .filter((time) => time !== null)
  return matches
    .map((match): SchedulingMatch => {
      const before = matchesBefore(match, board)
      const from = Math.max(earliest, ...timesOf(before).map((time) => time + length + rest))
      const to = Math.min(latest, ...timesOf(matchesBehind(match, board)).map((time) => time - rest))
      const open = before.filter((feeder) => chosen.has(feeder.guid) || beginOf(feeder) === null)
      return {
        id: match.guid,
        number: match.number,
        teams: [match.team1Guid, match.team2Guid],
        after: [...new Set(open.map(({ guid }) => guid))].sort(),
        notBefore: from === earliest ? null : from,
        notAfter: to === latest ? null : to,
        people: people.get(match.guid) ?? [],
      }
    })
    .sort((a, b) => a.number - b.number || byText(a.id, b.id))
}

/**
 * The matches that feed this one. A match without an opponent takes no time, so the matches that feed it are returned
 * in its place.
 */
function matchesBefore({ sides }: MatchRecord, board: Board): MatchRecord[] {
  return playedOf(
    sides.map(({ from }) => from?.guid ?? null),
    board,
    matchesBefore,
  )
}

function matchesBehind({ nextMatchGuid, loserMatchGuid }: MatchRecord, board: Board): MatchRecord[] {
  return playedOf([nextMatchGuid, loserMatchGuid], board, matchesBehind)
}

function playedOf(
  guids: readonly (string | null)[],
  board: Board,
  beyond: (match: MatchRecord, board: Board) => MatchRecord[],
): MatchRecord[] {
  return guids.flatMap((guid) => {
    const match = guid === null ? undefined : board.get(guid)
    if (match === undefined) return []
    return isAgainstNobody(match) ? beyond(match, board) : [match]
  })
}
