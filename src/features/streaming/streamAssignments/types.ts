export const streamRoles = ['player', 'caster', 'observer'] as const
export type StreamRole = (typeof streamRoles)[number]

export const assignmentStatuses = ['planned', 'active', 'ended', 'cancelled'] as const
export type AssignmentStatus = (typeof assignmentStatuses)[number]

/** Says that a tournament shows the stream of a user, and when. */
export interface StreamAssignment {
  readonly guid: string
  readonly tournamentGuid: string
  /** null for the whole tournament. */
  readonly matchGuid: string | null
  readonly userGuid: string
  readonly role: StreamRole
  readonly side: 1 | 2 | null
  /** 1 to 6. */
  readonly slot: number
  readonly startsAt: Date
  readonly endsAt: Date
  readonly cancelledAt: Date | null
  /** For staff. */
  readonly note: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An assignment with the number of its match in the division, for display. */
export type ListedAssignment = StreamAssignment & { readonly matchNumber: number | null }

export type NewAssignment = Omit<StreamAssignment, 'guid' | 'cancelledAt' | 'createdAt' | 'updatedAt'>

/** The members of an assignment that can be changed. */
export type AssignmentChanges = Partial<Pick<StreamAssignment, 'side' | 'slot' | 'startsAt' | 'endsAt' | 'note'>>
