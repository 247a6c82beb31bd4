import type { Slice } from '../../slice.ts'
import { schedulesEvents } from './events.ts'
import { resolveProposal } from './resolve.ts'
import { schedulesOperations } from './routes.ts'
import { schedulesPersonalData } from './store.ts'

export const schedules: Slice = {
  name: 'schedules',
  tags: { schedules: 'Times and officials for matches, worked out from the answers.' },
  operations: schedulesOperations,
  events: schedulesEvents,
  parameters: {
    proposal: {
      description: 'GUID of a proposal, as the answer that worked it out gave it.',
      resolve: resolveProposal,
      problems: { 'proposal.unknown': 'missing' },
    },
  },
  personalData: schedulesPersonalData,
}
