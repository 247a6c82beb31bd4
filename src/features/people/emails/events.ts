import type { Event, EventTable } from '../../../core/events.ts'

/** Addresses stay out of the log. */
export type EmailEvent =
  | Event<'email.verification_requested'>
  /** Links that were asked for earlier no longer count, without another in their place. */
  | Event<'email.verification_voided'>

declare module '../../../core/events.ts' {
  interface Events {
    emails: EmailEvent
  }
}

export const emailsEvents: EventTable<EmailEvent> = {
  'email.verification_requested': { subject: 'email_verification' },
  'email.verification_voided': { subject: 'user' },
}
