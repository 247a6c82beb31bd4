import type { Slice } from '../../slice.ts'
import { scenesMediaFields } from './commands/media.ts'
import { scenesDue, scenesJobs } from './jobs.ts'
import { coediting } from './routes/coediting.ts'
import { draftsOperations } from './routes/drafts.ts'
import { versionsOperations } from './routes/versions.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: { scenes: 'What overlays look like: documents that are edited, published and kept.' },
  operations: [...draftsOperations, ...versionsOperations],
  parameters: { version: { description: 'Number of a version of the overlay.' } },
  documents: [coediting],
  mediaFields: scenesMediaFields,
  due: scenesDue,
  jobs: scenesJobs,
}
