import type { Slice } from '../../slice.ts'
import { claimsEvents } from './events.ts'
import { arrivals } from './followers.ts'
import { resolveAwaited, resolveClaim, resolvePlaceholder } from './resolve.ts'
import { claimsOperations } from './routes.ts'
import { claimsPersonalData } from './store/claims.ts'

export const claims: Slice = {
  name: 'claims',
  tags: {
    claims: 'How people take over the placeholders that an organiser’s sheet made of them.',
    placeholders: 'Places that an imported tournament keeps for people whose chat accounts are known here.',
  },
  operations: claimsOperations,
  parameters: {
    placeholder: {
      description: 'GUID of a user who has not signed in, and whom an import made.',
      resolve: resolvePlaceholder,
      problems: { 'user.unknown': 'missing' },
    },
    awaitedPlaceholder: {
      description: 'GUID of a user who stands for the caller in an imported tournament.',
      resolve: resolveAwaited,
      problems: { 'user.unknown': 'missing' },
    },
    claimLink: { description: 'GUID of a link of the placeholder.' },
    claimToken: { description: 'The secret of a link.' },
    userClaim: {
      description: 'GUID of a claim, as `POST /claims/{claimToken}` answered it.',
      resolve: resolveClaim,
      problems: { 'claim.unknown': 'missing' },
    },
  },
  events: claimsEvents,
  followers: [arrivals],
  personalData: claimsPersonalData,
}
