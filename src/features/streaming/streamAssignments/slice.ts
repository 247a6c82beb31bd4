import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import type { Slice } from '../../slice.ts'
import { forgetAssignments } from './commands/assignments.ts'
import { streamAssignmentsConstraints } from './constraints.ts'
import { streamAssignmentsEvents } from './events.ts'
import { resolveAssignment } from './resolve.ts'
import { streamAssignmentsOperations } from './routes.ts'
import { streamAssignmentsSections } from './store.ts'

export const streamAssignments: Slice = {
  name: 'streamAssignments',
  tags: { streamAssignments: 'Who is to stream for a tournament, and when.' },
  operations: streamAssignmentsOperations,
  parameters: {
    assignment: {
      description: 'GUID of an assignment to stream.',
      resolve: resolveAssignment,
      problems: { 'assignment.unknown': 'missing' },
    },
  },
  constraints: streamAssignmentsConstraints,
  events: streamAssignmentsEvents,
  personalData: declarePersonalData({
    sections: streamAssignmentsSections,
    forget: [(tx, { guid }, now) => forgetAssignments(tx, guid, now)],
  }),
}
