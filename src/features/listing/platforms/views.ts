import { type Static, Type } from 'typebox'
import { RenderedDescription } from '../../../core/rendered.ts'
import { platformRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { configured } from './rules.ts'
import { type Platform, type PlatformMember, type PlatformSettings, webhookEvents } from './types.ts'

/** The tag of lists of all platforms: touched when a platform is added, changed or deleted. */
export const platformsTag = 'platforms'

const summary = {
  guid: Guid,
  contextId: Type.String({ description: 'Short id.', examples: ['night-league'] }),
  name: Type.String({ examples: ['Night League'] }),
  imageUrl: Type.String({
    description: 'Empty where there is none.',
    examples: ['https://cdn.example.org/platforms/night-league.png'],
  }),
  isSystem: Type.Boolean({ description: 'Whether it decides on the main listing.', examples: [false] }),
}

/** The schema of a platform inside other records. (D52) */
export const PlatformSummary = Type.Object(summary, {
  title: 'PlatformSummary',
  description: 'A community that tournaments may be listed on, in short.',
})

export function platformSummary({
  guid,
  contextId,
  name,
  imageUrl,
  isSystem,
}: Platform): Static<typeof PlatformSummary> {
  return { guid, contextId, name, imageUrl, isSystem }
}

/** The public record; settings and members are not part of it. (rest-interface: Tournament platform) */
export const PlatformView = Type.Object(
  {
    ...summary,
    description: Type.String({ description: 'Markdown.', examples: ['Cups for those who play at night.'] }),
    websiteUrl: nullable(Type.String({ examples: ['https://night-league.example.org'] })),
    html: Type.Optional(RenderedDescription),
    counts: Type.Object({ tournaments: Type.Integer({ description: 'On its public list.', examples: [12] }) }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Platform', description: 'A community that tournaments may ask to be listed on.' },
)

/** @param listed the number of tournaments on each platform's public list */
export function platformView(platform: Platform, listed: ReadonlyMap<string, number>): Static<typeof PlatformView> {
  return {
    ...platformSummary(platform),
    description: platform.description,
    websiteUrl: platform.websiteUrl,
    counts: { tournaments: listed.get(platform.guid) ?? 0 },
    createdAt: formatInstant(platform.createdAt),
    updatedAt: formatInstant(platform.updatedAt),
  }
}

/**
 * The schema of a platform on which the caller is a member or reviews. (rest-interface: GET /tournament-platforms/mine)
 */
export const OwnPlatform = Type.Object(
  {
    ...PlatformView.properties,
    role: oneOf([...platformRoles, 'global'], {
      description: 'What the caller is there; `global` for owners and developers.',
    }),
    waiting: Type.Integer({ description: 'How many requests wait for a decision there.', examples: [3] }),
  },
  { title: 'OwnPlatform', description: 'A platform that the caller reviews or administers.' },
)

export const Member = Type.Object(
  { user: UserCard, role: oneOf(platformRoles), addedAt: Instant },
  { title: 'PlatformMember', description: 'A member of a platform’s review team.' },
)

export function memberView({ role, addedAt }: PlatformMember, user: UserFacts): Static<typeof Member> {
  return { user: userCard(user), role, addedAt: formatInstant(addedAt) }
}

/** Visible only to administrators of the platform. (rest-interface: GET settings) */
export const SettingsView = Type.Object(
  {
    chatWebhookUrl: nullable(Type.String({ examples: ['https://chat.example.org/api/webhooks/1/token'] })),
    customWebhookUrl: nullable(Type.String({ examples: ['https://night-league.example.org/hooks'] })),
    customWebhookSecret: nullable(
      oneOf([configured], { description: 'Whether there is one; never the secret itself.' }),
    ),
    webhookEvents: Type.Array(oneOf(webhookEvents), { description: 'What is delivered.' }),
    members: Type.Array(Member, { description: 'The review team, in the order of being added.' }),
  },
  { title: 'PlatformSettings', description: 'What administrators of a platform set and see.' },
)

export function settingsView(
  settings: PlatformSettings,
  members: readonly PlatformMember[],
  users: ReadonlyMap<string, UserFacts>,
): Static<typeof SettingsView> {
  return {
    chatWebhookUrl: settings.chatWebhookUrl,
    customWebhookUrl: settings.customWebhookUrl,
    customWebhookSecret: settings.customWebhookSecret === null ? null : configured,
    webhookEvents: [...settings.webhookEvents],
    members: members.flatMap((member) => {
      const user = users.get(member.userGuid)
      return user === undefined ? [] : [memberView(member, user)]
    }),
  }
}
