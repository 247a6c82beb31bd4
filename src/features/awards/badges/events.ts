import { type Event, type EventTable, everyMember, type MembersOf } from '../../../core/events.ts'
import { type BadgeSettings, badgeSettings, type GrantSource } from './types.ts'

type Settings = MembersOf<BadgeSettings>

export type BadgeEvent =
  | Event<'badge.created', { after: Settings }>
  /** Also emitted when a badge is retired, or its picture was taken down. */
  | Event<'badge.updated', { before: Settings; after: Settings }>
  | Event<'badge.deleted', { before: Settings }>
  /** The badge was granted to one or more users. */
  | Event<'badge.granted', { after: { readonly users: readonly string[]; readonly source: GrantSource } }>
  /** The badge was revoked from one or more users. */
  | Event<'badge.revoked', { before: { readonly users: readonly string[] }; after: { readonly reason: string } }>
  /** A user changed the order of their badges or which of them are hidden. */
  | Event<'badge.shown_as', { after: { readonly order?: readonly string[]; readonly hidden?: readonly string[] } }>

  /** An import for all users with a verified account on the ranking platform. It runs as a job. */
  | Event<'badge_import.started', { after: { readonly source: 'ranking-a'; readonly dryRun: boolean } }>
  | Event<'badge_import.finished', { after: ImportedNumbers }>

/** The numbers of badges made and granted, and of users or rows that failed. (B9) */
interface ImportedNumbers {
  readonly source: 'ranking-a' | 'csv'
  readonly dryRun: boolean
  readonly made: number
  readonly granted: number
  readonly failed: number
}

declare module '../../../core/events.ts' {
  interface Events {
    badges: BadgeEvent
  }
}

export const badgesEvents: EventTable<BadgeEvent> = {
  'badge.created': { subject: 'badge', members: everyMember(badgeSettings, 'private') },
  'badge.updated': { subject: 'badge', members: everyMember(badgeSettings, 'private') },
  'badge.deleted': { subject: 'badge', members: everyMember(badgeSettings, 'private') },
  'badge.granted': { subject: 'badge', members: everyMember(['users', 'source'], 'private') },
  'badge.revoked': { subject: 'badge', members: everyMember(['users', 'reason'], 'private') },
  'badge.shown_as': { subject: 'user', members: everyMember(['order', 'hidden'], 'private') },
  'badge_import.started': { subject: 'badge_import', members: everyMember(['source', 'dryRun'], 'private') },
  'badge_import.finished': {
    subject: 'badge_import',
    members: everyMember(['source', 'dryRun', 'made', 'granted', 'failed'], 'private'),
  },
}
