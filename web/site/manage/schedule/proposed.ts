import type { Match } from '../../../../client/generated.ts'
import type { ScheduleProposal } from '../../data/generated.ts'
import { type Clash, clashesOf, isHard, spotOf } from './clashes.ts'
import type { Plan } from './plan.ts'

/** A proposal over the plan: what would be different, and what of it would clash if only some were applied. */

export type Placement = ScheduleProposal['placements'][number]

const isAddress = (stream: string): boolean => /^https?:/i.test(stream)

/** The stream that a match has once its place is applied: places off the channels leave it as it is. */
const streamOf = (match: Match, { stream }: Placement): string | null => (isAddress(stream) ? stream : match.streamUrl)

/** The plan as it would be with these placements, for matches as long as in the proposal. */
export function planWith(plan: Plan, placements: readonly Placement[], cleared: readonly string[]): Plan {
  const places = new Map(placements.map((placed) => [placed.matchGuid, placed]))
  const gone = new Set(cleared)
  const matches = plan.matches.map((match): Match => {
    const placed = places.get(match.guid)
    if (placed === undefined) return gone.has(match.guid) ? { ...match, scheduledAt: null } : match
    return { ...match, scheduledAt: placed.startsAt, streamUrl: streamOf(match, placed) }
  })
  const [first] = placements
  const minutes =
    first === undefined ? plan.rules.minutes : (Date.parse(first.endsAt) - Date.parse(first.startsAt)) / 60_000
  return {
    ...plan,
    matches,
    byGuid: new Map(matches.map((match) => [match.guid, match])),
    rules: { ...plan.rules, minutes },
  }
}

/** What would be wrong with the matches that get their places. */
export function clashesWith(
  plan: Plan,
  placements: readonly Placement[],
  cleared: readonly string[],
): ReadonlyMap<string, readonly Clash[]> {
  const after = planWith(plan, placements, cleared)
  return new Map(
    placements.flatMap(({ matchGuid }) => {
      const match = after.byGuid.get(matchGuid)
      const spot = match === undefined ? null : spotOf(match)
      if (match === undefined || spot === null) return []
      const hard = clashesOf(match, spot, after).filter(isHard)
      return hard.length === 0 ? [] : [[matchGuid, hard] as const]
    }),
  )
}
