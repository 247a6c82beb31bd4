import type { Slice } from '../../slice.ts'
import { referenceOperations } from './routes/reference.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = {
  name: 'scenes',
  tags: { sceneReference: 'What documents of overlays are made of, what they are bound to, and samples of that.' },
  operations: [...referenceOperations],
}
