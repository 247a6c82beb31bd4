import { type Static, Type } from 'typebox'
import { mediaUrl } from '../../../core/media.ts'
import { Guid, Instant, NextCursor, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { badgeKinds } from '../badges/types.ts'
import type { DraftBadge } from './rules.ts'
import type { ShownPicture } from './store/pictures.ts'
import { type BadgeRequest, type RequestedRecipient, requestStatuses, skipReasons } from './types.ts'

const Recipient = Type.Object({
  user: UserCard,
  label: nullable(Type.String({ examples: ['1st place'] })),
  place: nullable(Type.Integer({ examples: [1] })),
})

const texts = {
  name: Type.String({ examples: ['Spring Cup 2026: 1st place'] }),
  description: Type.String({ examples: ['Won the Spring Cup of 2026.'] }),
  kind: oneOf(badgeKinds),
}

const RequestedBadgeView = Type.Object(
  {
    ...texts,
    mediaGuid: nullable(
      Guid,
      'null where the picture was deleted or taken down: another is needed before it is approved.',
    ),
    imageUrl: nullable(
      Type.String(),
      'null where the picture is there no longer, as may be in a request that is over.',
    ),
    recipients: Type.Array(Recipient),
  },
  { title: 'RequestedBadge' },
)

export const BadgeRequestView = Type.Object(
  {
    guid: Guid,
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }),
    status: oneOf(requestStatuses),
    message: Type.String(),
    badges: Type.Array(RequestedBadgeView),
    reason: nullable(Type.String(), 'Of the decision.'),
    createdBy: nullable(UserCard),
    reviewedBy: nullable(UserCard),
    createdAt: Instant,
    decidedAt: nullable(Instant, 'When it was approved, rejected or withdrawn.'),
    updatedAt: { ...Instant, description: '`expectedUpdatedAt` of the next change.' },
  },
  { title: 'BadgeRequest', description: 'What an organiser asks for.' },
)
export type BadgeRequestView = Static<typeof BadgeRequestView>

export const BadgeRequestPage = Type.Object({ badgeRequests: Type.Array(BadgeRequestView), nextCursor: NextCursor })

export const ReviewedView = Type.Object(
  {
    request: BadgeRequestView,
    skipped: Type.Array(Type.Object({ userGuid: Guid, why: oneOf(skipReasons) }), {
      description: 'Recipients who got nothing.',
    }),
  },
  { title: 'ReviewedBadgeRequest' },
)

export const DraftView = Type.Object(
  {
    badges: Type.Array(
      Type.Object({
        ...texts,
        mediaGuid: nullable(Guid, 'null: the picture is for the organiser to choose.'),
        recipients: Type.Array(Recipient),
      }),
    ),
  },
  { title: 'BadgeRequestDraft' },
)

type People = ReadonlyMap<string, UserFacts>

function recipientsView(recipients: readonly RequestedRecipient[], people: People) {
  return recipients.flatMap(({ userGuid, label, place }) => {
    const facts = people.get(userGuid)
    return facts === undefined ? [] : { user: userCard(facts), label, place }
  })
}

function cardOf(guid: string | null, people: People) {
  const facts = people.get(guid ?? '')
  return facts === undefined ? null : userCard(facts)
}

export function requestView(
  request: BadgeRequest,
  people: People,
  pictures: ReadonlyMap<string, ShownPicture>,
  mediaOrigin: string,
): BadgeRequestView {
  const { guid, tournament, status, message, reason, createdAt, decidedAt, updatedAt } = request
  return {
    guid,
    tournament,
    status,
    message,
    reason,
    badges: request.badges.map(({ recipients, mediaGuid, name, description, kind }) => {
      const picture = pictures.get(mediaGuid ?? '')
      return {
        name,
        description,
        kind,
        mediaGuid,
        imageUrl: picture === undefined ? null : mediaUrl(mediaOrigin, picture.guid, picture.type),
        recipients: recipientsView(recipients, people),
      }
    }),
    createdBy: cardOf(request.createdBy, people),
    reviewedBy: cardOf(request.reviewedBy, people),
    createdAt: formatInstant(createdAt),
    decidedAt: formatInstant(decidedAt),
    updatedAt: formatInstant(updatedAt),
  }
}

export function draftView(badges: readonly DraftBadge[], people: People): Static<typeof DraftView> {
  return {
    badges: badges.map(({ recipients, ...badge }) => ({
      ...badge,
      mediaGuid: null,
      recipients: recipientsView(recipients, people),
    })),
  }
}
