import type { Slice } from '../../slice.ts'
import { coordinationOperations } from './routes.ts'

/** What those who run a match day look at, in one read. */
export const coordination: Slice = {
  name: 'coordination',
  tags: { coordination: 'What runs in a tournament and what comes next, in one read.' },
  operations: coordinationOperations,
}
