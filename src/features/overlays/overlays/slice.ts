import type { Slice } from '../../slice.ts'
import { overlaysConstraints } from './constraints.ts'
import { overlaysEvents } from './events.ts'
import { overlaysJobs } from './jobs.ts'
import { resolveOverlay } from './resolve.ts'
import { overlaysOperations } from './routes.ts'
import { overlaysPersonalData } from './store/personal-data.ts'

export const overlays: Slice = {
  name: 'overlays',
  tags: { overlays: 'What broadcasts show of tournaments: which overlays there are, and who may see and change them.' },
  operations: overlaysOperations,
  constraints: overlaysConstraints,
  events: overlaysEvents,
  parameters: {
    overlay: {
      description:
        'GUID of an overlay of the tournament; where no tournament stands before it, of any, or `@token` for that of the view token that is presented.',
      resolve: resolveOverlay,
      problems: { 'overlay.unknown': 'missing' },
    },
    viewToken: { description: 'GUID of a view token of the overlay.' },
  },
  jobs: overlaysJobs,
  personalData: overlaysPersonalData,
}
