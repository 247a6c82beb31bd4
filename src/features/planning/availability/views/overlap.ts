import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { TournamentRoleName } from '../../../tournaments/access/views.ts'
import { Status } from '../bodies.ts'
import type { Suggestion } from '../rules/overlap.ts'

const count = Type.Integer({ minimum: 0 })

/** The ranked slots or matches of a sheet in an answer. (G13) */
export const OverlapView = Type.Object(
  {
    slots: Type.Array(
      Type.Object({
        startsAt: Type.Optional(Instant),
        endsAt: Type.Optional(Instant),
        matchGuid: Type.Optional(Guid),
        counts: Type.Object({
          available: count,
          maybe: count,
          would_rather_not: count,
          unavailable: count,
          unanswered: Type.Integer({ minimum: 0, description: 'Of those who were asked.' }),
        }),
        people: Type.Array(
          Type.Object({
            userGuid: Type.Optional(Guid),
            teamGuid: Type.Optional(Guid),
            role: nullable(TournamentRoleName, 'Null for teams.'),
            status: Status,
          }),
          { description: 'Those who answered.' },
        ),
        rank: Type.Integer({ minimum: 1, description: '1 for the best.' }),
      }),
      { description: 'Slots in order of time, or matches in that of their times.' },
    ),
  },
  { title: 'AvailabilityOverlap' },
)
export type OverlapView = Static<typeof OverlapView>

export function overlapView(suggestions: readonly Suggestion[]): OverlapView {
  return { slots: suggestions.map(slotView) }
}

function slotView({ span, match, counts, unanswered, people, rank }: Suggestion): OverlapView['slots'][number] {
  return {
    ...(span === null
      ? {}
      : { startsAt: new Date(span.start).toISOString(), endsAt: new Date(span.end).toISOString() }),
    ...(match === null ? {} : { matchGuid: match.matchGuid }),
    counts: { ...counts, unanswered },
    people: people.map(({ person: { guid, role }, status }) => ({
      ...(role === null ? { teamGuid: guid } : { userGuid: guid }),
      role,
      status,
    })),
    rank,
  }
}
