import { type Entry, prepare } from './scheduling/entries.ts'
import { byText, timeOf } from './scheduling/grid.ts'
import { reasonOf, refusalOf } from './scheduling/reasons.ts'
import { search } from './scheduling/search.ts'
import type { Place, Timetable } from './scheduling/timetable.ts'
import {
  type Burden,
  type Placement,
  type Schedule,
  type SchedulingProblem,
  type Willing,
  willing,
} from './scheduling/types.ts'

/**
 * Proposes a time, a stream and officials for each match. (additions: Availability)
 *
 * Hard rules: no person and no stream is in two matches at the same time, teams rest between their matches, matches
 * follow their feeders, and all people involved gave the time. Preferences, in order: the search places as many matches
 * as it finds places for; teams, then officials, get as few `would_rather_not` and `maybe` times as possible, evenly
 * spread; times are early, in the order of the match numbers where that has no cost; officials with fewer matches come
 * first. Matches start at quarters of an hour. The order of matches, teams and officials in the input does not change
 * the result.
 */
export function schedule(problem: SchedulingProblem): Schedule {
  const table = search(prepare(problem))
  const { entries, people, teams } = table.board
  const placed = entries.flatMap((entry) => {
    const place = table.places[entry.index]
    return place ? [{ entry, place }] : []
  })
  const placements = placed
    .sort((a, b) => a.place.start - b.place.start || a.entry.index - b.entry.index)
    .map(({ entry, place }) => placementOf(table, entry, place, problem.names))
  const matches = new Map(problem.matches.map((match) => [match.id, match]))
  const shares = placements.flatMap(({ match, teams: wills }) =>
    wills.map((status, side) => ({ id: matches.get(match)?.teams[side] ?? null, status })),
  )
  return {
    placements,
    unplaced: entries
      .filter(({ index }) => table.places[index] === null)
      .map((entry) => ({ match: entry.match.id, ...refusalOf(table, entry, problem.names) })),
    teams: burdens([...teams.keys()], shares),
    officials: burdens(
      people,
      placements.flatMap(({ officials }) => officials),
    ),
  }
}

function placementOf(
  table: Timetable,
  entry: Entry,
  { start, stream, crew }: Place,
  names: SchedulingProblem['names'],
): Placement {
  const { frame, streams, roles, seats, people, teams } = table.board
  const time = timeOf(frame, start)
  const [one, other] = entry.match.teams.map((team) => (team === null ? null : willOf(teams.get(team)?.[start])))
  const officials = [...crew].map((person, seat) => {
    const role = seats[seat] as number
    return {
      id: people[person] as string,
      role: roles[role]?.name as string,
      status: willOf(table.mark(entry, person, role, start)),
    }
  })
  const placement = {
    match: entry.match.id,
    start: time,
    end: time + frame.length,
    stream: streams[stream]?.name as string,
    teams: [one ?? null, other ?? null] as const,
    officials: officials.sort((a, b) => byText(a.role, b.role) || byText(a.id, b.id)),
  }
  return { ...placement, reason: reasonOf(table, entry, placement, names) }
}

const willOf = (mark: number | undefined) => willing[mark as number] as Willing

/** The load of each person or team in the schedule, by id. */
function burdens(
  ids: readonly string[],
  shares: readonly { readonly id: string | null; readonly status: Willing | null }[],
): readonly Burden[] {
  return ids.toSorted(byText).map((id) => {
    const own = shares.filter((share) => share.id === id)
    return {
      id,
      matches: own.length,
      maybe: own.filter(({ status }) => status === 'maybe').length,
      wouldRatherNot: own.filter(({ status }) => status === 'would_rather_not').length,
    }
  })
}
