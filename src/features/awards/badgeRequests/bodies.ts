import { type Static, Type } from 'typebox'
import { exampleGuid, exampleUser, Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { badgeKinds, badgeLimits } from '../badges/types.ts'
import { maxBadges, maxRecipients } from './rules.ts'
import { decisions } from './types.ts'

const Recipient = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier.', examples: [exampleUser] }),
  label: Type.Optional(nullable(Type.String({ maxLength: badgeLimits.label }), 'What it is for, such as “2nd place”.')),
  place: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: badgeLimits.place }))),
})

const Badge = Type.Object({
  name: Type.String({ minLength: 1, maxLength: badgeLimits.name }),
  description: Type.String({ maxLength: badgeLimits.description, description: 'Plain text.' }),
  kind: oneOf(badgeKinds),
  mediaGuid: {
    ...Guid,
    description: 'Media of the kind `badge_image`, of the tournament or one’s own; 8:3 is usual.',
  },
  recipients: Type.Array(Recipient, { maxItems: maxRecipients, description: `At most ${maxRecipients} in all.` }),
})
export type BadgeInput = Static<typeof Badge>

const Badges = Type.Array(Badge, { minItems: 1, maxItems: maxBadges })
const Message = Type.String({ maxLength: 2_000, description: 'For the managers of badges: plain text.' })
const expectedUpdatedAt = { ...Instant, description: 'The `updatedAt` that the caller has seen.' }

const example = {
  name: 'Spring Cup 2099: 1st place',
  description: 'Won the Spring Cup of 2099.',
  kind: 'placement',
  mediaGuid: exampleGuid,
  recipients: [{ user: exampleUser, label: '1st place', place: 1 }],
}

export const RequestBody = Type.Object(
  { message: Type.Optional(Message), badges: Badges },
  { examples: [{ message: 'Those who won the final.', badges: [example] }] },
)
export type RequestBody = Static<typeof RequestBody>

export const RequestChangesBody = Type.Object(
  { message: Type.Optional(Message), badges: Type.Optional(Badges), expectedUpdatedAt },
  { examples: [{ message: 'Those who won the final.', expectedUpdatedAt: '2099-05-01T18:00:00.000Z' }] },
)
export type RequestChangesBody = Static<typeof RequestChangesBody>

export const ReviewBody = Type.Object(
  {
    decision: oneOf(decisions),
    reason: Type.Optional(nullable(Type.String({ maxLength: 2_000 }), 'Needed to reject; the organiser is told it.')),
    badges: Type.Optional({
      ...Badges,
      description: 'In place of those that were asked for, where they are approved.',
    }),
    expectedUpdatedAt,
  },
  {
    examples: [
      { decision: 'rejected', reason: 'The picture is too small.', expectedUpdatedAt: '2099-05-01T18:00:00.000Z' },
    ],
  },
)
export type ReviewBody = Static<typeof ReviewBody>
