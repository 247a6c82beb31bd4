export const streamRoles = ['player', 'caster', 'observer'] as const
export type StreamRole = (typeof streamRoles)[number]

/** Whose stream a tournament shows, and when. */
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
