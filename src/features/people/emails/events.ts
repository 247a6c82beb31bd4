import type { Event, EventTable } from '../../../core/events.ts'

/** Addresses are not logged. */
export type EmailEvent =
  | Event<'email.verification_requested'>
  /** Earlier links became invalid, without a new one in their place. */
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
