import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { AssignmentStatus, StreamAssignment } from './types.ts'

/** `user` and `match` of one that is made: they never change. */
interface Members extends MembersOf<StreamAssignment, 'role' | 'side' | 'slot' | 'startsAt' | 'endsAt'> {
  readonly user?: string
  readonly match?: string | null
  readonly status?: AssignmentStatus
}

/**
 * It was made, where nothing stood before; is at other times or in another place; or was cancelled. What notes say stays out of
 * the log: it is for the staff of today.
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
