import { type Static, Type } from 'typebox'
import { platformRoles } from '../../../core/roles.ts'
import { nullable, oneOf } from '../../../core/schema.ts'
import { maxDescriptionCharacters, maxNameLength } from './rules.ts'
import { webhookEvents } from './types.ts'

const name = Type.String({ minLength: 1, maxLength: maxNameLength, examples: ['Night League'] })
const description = Type.String({
  maxLength: maxDescriptionCharacters,
  description: 'Markdown.',
  examples: ['Cups for those who play at night.'],
})
const imageUrl = Type.String({
  maxLength: 2_000,
  description: 'Empty for none.',
  examples: ['https://cdn.example.org/platforms/night-league.png'],
})
const website = Type.String({ maxLength: 2_000, examples: ['https://night-league.example.org'] })

export const CreateBody = Type.Object(
  {
    contextId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Short id: 1 to 32 letters, digits and hyphens, kept in lower case.',
      examples: ['night-league'],
    }),
    name,
    description,
    imageUrl,
    websiteUrl: Type.Optional(nullable(website)),
  },
  { title: 'NewPlatform' },
)
export type NewPlatform = Static<typeof CreateBody>

export const ChangesBody = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    imageUrl: Type.Optional(imageUrl),
    websiteUrl: Type.Optional(nullable(website)),
  },
  { title: 'PlatformChanges' },
)

const removable = 'An empty text removes it.'

export const SettingsBody = Type.Object(
  {
    chatWebhookUrl: Type.Optional(
      Type.String({
        maxLength: 500,
        description: `Webhook of a channel on the chat platform. ${removable}`,
        examples: ['https://chat.example.org/api/webhooks/1/token'],
      }),
    ),
    customWebhookUrl: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: `Address that events are posted to, over https. ${removable}`,
        examples: ['https://night-league.example.org/hooks'],
      }),
    ),
    customWebhookSecret: Type.Optional(
      Type.String({
        maxLength: 500,
        description: `Signs what is posted to the custom webhook; base64 behind \`whsec_\`, or any text. Never returned. ${removable}`,
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    ),
    webhookEvents: Type.Optional(
      Type.Array(oneOf(webhookEvents), { uniqueItems: true, description: 'All that is to be delivered.' }),
    ),
  },
  { title: 'PlatformSettingsChanges' },
)

export const MemberBody = Type.Object(
  {
    userIdentifier: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'GUID, chat-platform ID or linked ranking ID of the user, or `@me`.',
      examples: ['210987654321098765'],
    }),
    role: oneOf(platformRoles),
  },
  { title: 'PlatformMemberChange' },
)
