import type { Slice } from '../../slice.ts'
import { visibilityEvents } from './events.ts'
import { resolveVisibilityRequest } from './resolve.ts'
import { visibilityOperations } from './routes/visibility.ts'
import { visibilityPersonalData } from './store/personal-data.ts'

export const visibility: Slice = {
  name: 'visibility',
  tags: {
    visibility: 'Asking to be listed, and deciding on it.',
    admin: 'For owners and developers of the service, and for global managers.',
  },
  operations: visibilityOperations,
  events: visibilityEvents,
  parameters: {
    visibilityRequest: {
      description: 'GUID of a request that a tournament has made to the platform.',
      resolve: resolveVisibilityRequest,
      problems: { 'request.unknown': 'missing', 'role.missing': 'forbidden' },
    },
  },
  personalData: visibilityPersonalData,
}
