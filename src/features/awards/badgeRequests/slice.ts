import type { Slice } from '../../slice.ts'
import { badgeRequestMediaFields } from './commands/pictures.ts'
import { badgeRequestsConstraints } from './constraints.ts'
import { badgeRequestsEvents } from './events.ts'
import { reopeningFollower } from './followers.ts'
import { resolveBadgeRequest } from './resolve.ts'
import { badgeRequestsOperations } from './routes.ts'
import { badgeRequestsPersonalData } from './store/personal-data.ts'

export const badgeRequests: Slice = {
  name: 'badgeRequests',
  tags: { badgeRequests: 'Badges that organisers ask for, for those who played and helped.' },
  operations: badgeRequestsOperations,
  parameters: {
    badgeRequest: {
      description: 'GUID of a request for badges that the caller may see.',
      resolve: resolveBadgeRequest,
      problems: { 'badge_request.unknown': 'missing' },
    },
  },
  constraints: badgeRequestsConstraints,
  events: badgeRequestsEvents,
  followers: [reopeningFollower],
  mediaFields: badgeRequestMediaFields,
  personalData: badgeRequestsPersonalData,
}
