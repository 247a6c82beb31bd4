import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { AssignmentStatus, StreamAssignment } from './types.ts'

/** `user` and `match` are present only when the assignment is created, as they never change. */
interface Members extends MembersOf<StreamAssignment, 'role' | 'side' | 'slot' | 'startsAt' | 'endsAt'> {
  readonly user?: string
  readonly match?: string | null
  readonly status?: AssignmentStatus
}

/**
 * An assignment was created (`before` is null), moved to other times or another place, or cancelled. The text of notes
 * is not logged: it is only for the present staff.
 */
export type StreamAssignmentEvent = TournamentEvent<
  'assignment.changed',
  { before: Members | null; after: Members & { readonly noteChanged?: true } }
>

declare module '../../../core/events.ts' {
  interface Events {
    streamAssignments: StreamAssignmentEvent
  }
}

const shown = ['user', 'match', 'role', 'side', 'slot', 'startsAt', 'endsAt', 'status'] as const

export const streamAssignmentsEvents: EventTable<StreamAssignmentEvent> = {
  'assignment.changed': {
    subject: 'stream_assignment',
    members: { ...everyMember(shown, 'public'), noteChanged: 'private' },
  },
}
