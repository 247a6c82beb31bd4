import type { Slice } from '../../slice.ts'
import { packageOperations } from './routes/packages.ts'
import { templateOperations } from './routes/templates.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: {
    scenes: 'What overlays look like: their drafts, what of them is published, their versions and packages.',
    overlayTemplates: 'What overlays can be made from.',
  },
  operations: [...packageOperations, ...templateOperations],
  parameters: { overlayTemplate: { description: 'Key of a built-in template, or GUID of one of one’s own.' } },
}
