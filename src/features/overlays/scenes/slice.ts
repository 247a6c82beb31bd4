import type { Slice } from '../../slice.ts'
import { coediting } from './routes/coediting.ts'

/** Scene documents as they are worked with: drafts, publishing, versions, packages, templates. */
export const scenes: Slice = { name: 'scenes', documents: [coediting] }
