import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { Platform, PlatformMember, PlatformSettings } from './types.ts'

type Details = Pick<Platform, 'name' | 'description' | 'imageUrl' | 'websiteUrl'>
type Named = Pick<Platform, 'contextId' | 'name'>
/** `configured` replaces each address and the secret, since anybody who knows an address can post to it. */
type Settings = Partial<PlatformSettings>
type Role = Pick<PlatformMember, 'role'>
interface Membership {
  readonly platformGuid: string
  readonly userGuid: string
}

/** The subject is the platform; for events about a member it is the user. */
export type PlatformEvent =
  | Event<'platform.created', { after: Pick<Platform, 'contextId'> & Details }>
  | Event<'platform.updated', { before: MembersOf<Details>; after: MembersOf<Details> }>
  | Event<'platform.deleted', { before: Named }>
  /** `before` tells later deliveries which settings held for earlier events, so it has all changed settings. (D58) */
  | Event<'platform.settings_changed', { before: Settings; after: Settings }>
  /** `before` is set if the member's role has changed. */
  | Event<'platform.member_added', { before: Role | null; after: Membership & Role; rights: true }>
  | Event<'platform.member_removed', { before: Role; after: Membership; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    platforms: PlatformEvent
  }
}

const details = { name: 'private', description: 'private', imageUrl: 'private', websiteUrl: 'private' } as const
const settings = {
  chatWebhookUrl: 'private',
  customWebhookUrl: 'private',
  customWebhookSecret: 'private',
  webhookEvents: 'private',
} as const
const membership = { platformGuid: 'private', userGuid: 'private', role: 'private' } as const

export const platformsEvents: EventTable<PlatformEvent> = {
  'platform.created': { subject: 'platform', members: { contextId: 'private', ...details } },
  'platform.updated': { subject: 'platform', members: details },
  'platform.deleted': { subject: 'platform', members: { contextId: 'private', name: 'private' } },
  'platform.settings_changed': { subject: 'platform', members: settings },
  'platform.member_added': { subject: 'user', members: membership },
  'platform.member_removed': { subject: 'user', members: membership },
}
