import { type Event, type EventTable, everyMember } from '../../../core/events.ts'
import type { GrantSource } from './types.ts'

export type BadgeEvent =
  /** To some users at once. */
  Event<'badge.granted', { after: { readonly users: readonly string[]; readonly source: GrantSource } }>

declare module '../../../core/events.ts' {
  interface Events {
    badges: BadgeEvent
  }
}

export const badgesEvents: EventTable<BadgeEvent> = {
  'badge.granted': { subject: 'badge', members: everyMember(['users', 'source'], 'private') },
}
