import type { Slice } from '../../slice.ts'
import { scenesMediaFields } from './commands/media.ts'
import { scenesDue, scenesJobs } from './jobs.ts'
import { draftsOperations } from './routes/drafts.ts'
import { referenceOperations } from './routes/reference.ts'
import { versionsOperations } from './routes/versions.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: {
    scenes: 'What overlays look like: documents that are edited, published and kept.',
    sceneReference: 'What documents of overlays are made of, what they are bound to, and samples of that.',
  },
  operations: [...referenceOperations, ...draftsOperations, ...versionsOperations],
  parameters: { version: { description: 'Number of a version of the overlay.' } },
  mediaFields: scenesMediaFields,
  due: scenesDue,
  jobs: scenesJobs,
}
