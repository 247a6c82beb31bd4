import type { Slice } from '../../slice.ts'
import { coordinationOperations } from './routes.ts'

/** Everything that the crew of a match day watches, in one read. */
export const coordination: Slice = {
  name: 'coordination',
  tags: { coordination: 'What runs in a tournament and what comes next, in one read.' },
  operations: coordinationOperations,
}
