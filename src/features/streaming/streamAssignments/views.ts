import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag, UserCard, userCard } from '../../people/users/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { statusOf } from './rules.ts'
import { assignmentStatuses, type ListedAssignment, streamRoles } from './types.ts'

/** A stream assignment in an answer. (streaming: Records) */
export const StreamAssignmentView = Type.Object(
  {
    guid: Guid,
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }) }),
    match: nullable(
      Type.Object({ guid: Guid, number: Type.Integer({ examples: [12] }) }),
      'null for the whole tournament.',
    ),
    user: UserCard,
    role: oneOf(streamRoles),
    side: Type.Unsafe<1 | 2 | null>({
      type: ['integer', 'null'],
      enum: [1, 2, null],
      description: 'Number of the side of the match.',
    }),
    slot: Type.Integer({ description: 'Place on the side, from 1 to 6.', examples: [1] }),
    startsAt: Instant,
    endsAt: Instant,
    status: oneOf(assignmentStatuses),
    note: nullable(Type.String(), 'For the tournament’s staff; null for everybody else.'),
    createdAt: Instant,
    updatedAt: { ...Instant, description: 'Of the last change that everybody sees.' },
  },
  { title: 'StreamAssignment', description: 'Whose stream a tournament shows, and when.' },
)
export type StreamAssignmentView = Static<typeof StreamAssignmentView>

/** The views of assignments of one tournament, in the given order. */
export async function assignmentViews(
  db: Db,
  { guid, id }: Pick<Tournament, 'guid' | 'id'>,
  assignments: readonly ListedAssignment[],
  { isStaff, now }: { readonly isStaff: boolean; readonly now: Date },
): Promise<StreamAssignmentView[]> {
  const users = await listUserFacts(
    db,
    assignments.map(({ userGuid }) => userGuid),
  )
  return assignments.flatMap((assignment) => {
    const { matchGuid, matchNumber, userGuid, role, side, slot, startsAt, endsAt, note } = assignment
    const user = users.get(userGuid)
    if (user === undefined) return []
    return {
      guid: assignment.guid,
      tournament: { guid, id },
      match: matchGuid === null || matchNumber === null ? null : { guid: matchGuid, number: matchNumber },
      user: userCard(user),
      role,
      side,
      slot,
      startsAt: formatInstant(startsAt),
      endsAt: formatInstant(endsAt),
      status: statusOf(assignment, now),
      note: isStaff ? note : null,
      createdAt: formatInstant(assignment.createdAt),
      updatedAt: formatInstant(assignment.updatedAt),
    }
  })
}

/** The dependencies of a cached answer with these assignments. All other changes touch the tournament anyway. */
export function dependenciesOf(tournamentGuid: string, views: readonly StreamAssignmentView[]): string[] {
  return [tournamentGuid, playedTag, ...new Set(views.map(({ user }) => user.guid))]
}
