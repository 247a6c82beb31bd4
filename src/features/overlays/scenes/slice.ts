import type { Slice } from '../../slice.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = { name: 'scenes' }
