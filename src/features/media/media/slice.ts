import { typesIn } from '../../../infra/events/emit.ts'
import { dyingAt } from '../../../infra/storage/steps.ts'
import type { Slice } from '../../slice.ts'
import { mediaEvents } from './events.ts'
import { mediaJobs } from './jobs.ts'
import { resolveMedium } from './resolve.ts'
import { administrationOperations, administrationOverFields } from './routes/administration.ts'
import { mediaOperations, operationsOverFields } from './routes/media.ts'
import { uploadingOperations } from './routes/uploading.ts'

export const media: Slice = {
  name: 'media',
  tags: {
    media:
      'Pictures, videos and fonts that users give: uploads, where they are used, and what they take of the room that there is.',
  },
  operations: [...uploadingOperations, ...mediaOperations, ...administrationOperations],
  overMediaFields: (fields) => [...operationsOverFields(fields), ...administrationOverFields(fields)],
  parameters: {
    media: {
      description: 'GUID of a medium that the caller may see.',
      resolve: resolveMedium,
      problems: { 'media.unknown': 'missing' },
    },
  },
  events: mediaEvents,
  jobs: mediaJobs,
  start: async ({ database, services }) => {
    const reached = dyingAt(services.config.media.diesAfter)
    database.onCommit((last) => typesIn(last).includes('media.uploaded') && reached('committed'))
  },
}
