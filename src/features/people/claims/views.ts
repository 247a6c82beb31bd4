import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../users/types.ts'
import { UserCard, userCard } from '../users/views.ts'
import { statusOf, undoableUntil } from './rules.ts'
import { type Claim, type ClaimLink, linkStatuses, type Place } from './types.ts'

const linkMembers = {
  guid: Guid,
  status: oneOf(linkStatuses),
  createdByGuid: Guid,
  createdAt: Instant,
  expiresAt: Instant,
  usedAt: nullable(Instant),
}

export const ClaimLinkView = Type.Object(linkMembers, { title: 'ClaimLink' })

export const MadeClaimLinkView = Type.Object(
  {
    ...linkMembers,
    token: Type.String({ description: 'The secret of `/claims/{token}`. It is shown only here.' }),
  },
  { title: 'MadeClaimLink' },
)

export function claimLinkView(link: ClaimLink, now: Date): Static<typeof ClaimLinkView> {
  const { guid, createdByGuid, createdAt, expiresAt, usedAt } = link
  return {
    guid,
    status: statusOf(link, now),
    createdByGuid,
    createdAt: formatInstant(createdAt),
    expiresAt: formatInstant(expiresAt),
    usedAt: formatInstant(usedAt),
  }
}

const Name = { guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }

const PlaceView = Type.Object({
  tournament: Type.Object(Name),
  team: nullable(Type.Object(Name), 'null where they are in no team any more.'),
  isCaptain: Type.Boolean(),
})

export const ClaimPreview = Type.Object(
  {
    placeholder: UserCard,
    places: Type.Array(PlaceView, { description: 'What becomes the caller’s.' }),
    conflicts: Type.Array(PlaceView, {
      description:
        'Those of them in whose tournaments the caller has a place already: while there are any, the claim is refused.',
    }),
    expiresAt: Instant,
  },
  { title: 'ClaimPreview' },
)

export function claimPreview(
  facts: UserFacts,
  places: readonly Place[],
  conflicts: readonly Place[],
  { expiresAt }: ClaimLink,
): Static<typeof ClaimPreview> {
  return {
    placeholder: userCard(facts),
    places: [...places],
    conflicts: [...conflicts],
    expiresAt: formatInstant(expiresAt),
  }
}

export const ClaimView = Type.Object(
  {
    guid: Guid,
    placeholderGuid: Guid,
    userGuid: Guid,
    claimedAt: Instant,
    undoableUntil: Instant,
    undoneAt: nullable(Instant),
  },
  { title: 'Claim' },
)

export function claimView(claim: Claim): Static<typeof ClaimView> {
  const { guid, placeholderGuid, userGuid, createdAt, undoneAt } = claim
  return {
    guid,
    placeholderGuid,
    userGuid,
    claimedAt: formatInstant(createdAt),
    undoableUntil: formatInstant(undoableUntil(claim)),
    undoneAt: formatInstant(undoneAt),
  }
}
