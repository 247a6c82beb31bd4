import type { Slice } from '../../slice.ts'
import { packageOperations } from './routes/packages.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: { scenes: 'What overlays look like: their drafts, what of them is published, their versions and packages.' },
  operations: [...packageOperations],
}
