import type { Slice } from '../../slice.ts'
import { followingOperations } from './routes.ts'

export const following: Slice = {
  name: 'following',
  tags: { events: 'What changes, as it changes.' },
  operations: followingOperations,
}
