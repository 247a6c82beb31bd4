import type { Slice } from '../../slice.ts'
import { scenesMediaFields } from './commands/media.ts'
import { scenesDue, scenesJobs } from './jobs.ts'
import { coediting } from './routes/coediting.ts'
import { draftsOperations } from './routes/drafts.ts'
import { packageOperations } from './routes/packages.ts'
import { referenceOperations } from './routes/reference.ts'
import { templateOperations } from './routes/templates.ts'
import { versionsOperations } from './routes/versions.ts'

/** Operations on scene documents: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: {
    scenes: 'What overlays look like: documents that are edited, published, kept and packed.',
    sceneReference: 'What documents of overlays are made of, what they are bound to, and samples of that.',
    overlayTemplates: 'What overlays can be made from.',
  },
  operations: [
    ...referenceOperations,
    ...draftsOperations,
    ...versionsOperations,
    ...packageOperations,
    ...templateOperations,
  ],
  parameters: {
    version: { description: 'Number of a version of the overlay.' },
    overlayTemplate: { description: 'Key of a built-in template, or GUID of one of one’s own.' },
  },
  documents: [coediting],
  mediaFields: scenesMediaFields,
  due: scenesDue,
  jobs: scenesJobs,
}
