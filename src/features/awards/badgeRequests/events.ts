import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { RequestStatus } from './types.ts'

/** The numbers of badges and recipients. Only organisers and managers may read who the recipients are. */
interface Asked {
  readonly badges: number
  readonly recipients: number
}
interface Status {
  readonly status: RequestStatus
}

/** Reasons and messages stay out of the event log, because the whole staff reads it. (B9) */
export type BadgeRequestEvent =
  | TournamentEvent<'badge_request.created', { after: Asked & Status }>
  /** The numbers are equal if only texts, recipients or pictures changed. */
  | TournamentEvent<'badge_request.updated', { before: Asked; after: Asked }>
  | TournamentEvent<'badge_request.withdrawn', { before: Status; after: Status }>
  /** The approved badges after edits, and the number of recipients who were left out. */
  | TournamentEvent<'badge_request.approved', { before: Status; after: Asked & Status & { readonly skipped: number } }>
  | TournamentEvent<'badge_request.rejected', { before: Status; after: Status }>

declare module '../../../core/events.ts' {
  interface Events {
    badgeRequests: BadgeRequestEvent
  }
}

const subject = 'badge_request'
const asked = everyMember(['badges', 'recipients'], 'private')
const status = everyMember(['status'], 'private')

export const badgeRequestsEvents: EventTable<BadgeRequestEvent> = {
  'badge_request.created': { subject, members: { ...asked, ...status } },
  'badge_request.updated': { subject, members: asked },
  'badge_request.withdrawn': { subject, members: status },
  'badge_request.approved': { subject, members: { ...asked, ...status, skipped: 'private' } },
  'badge_request.rejected': { subject, members: status },
}
