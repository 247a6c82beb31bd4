import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { Platform, PlatformMember, PlatformSettings } from './types.ts'

type Details = Pick<Platform, 'name' | 'description' | 'imageUrl' | 'websiteUrl'>
type Named = Pick<Platform, 'contextId' | 'name'>
/** `configured` in the place of each address, which lets whoever has it post, and of the secret. */
type Settings = Partial<PlatformSettings>
type Role = Pick<PlatformMember, 'role'>
interface Membership {
  readonly platformGuid: string
  readonly userGuid: string
}

/** Happens to the platform but, where it is about a member, to the user. */
export type PlatformEvent =
  | Event<'platform.created', { after: Pick<Platform, 'contextId'> & Details }>
  | Event<'platform.updated', { before: MembersOf<Details>; after: MembersOf<Details> }>
  | Event<'platform.deleted', { before: Named }>
  /** Webhooks are told of earlier events by `before`: all that a change of settings alters stands there. (D58) */
  | Event<'platform.settings_changed', { before: Settings; after: Settings }>
  /** With `before` for a member whose role is another one now. */
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
