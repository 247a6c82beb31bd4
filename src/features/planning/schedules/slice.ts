import type { Slice } from '../../slice.ts'
import { schedulesEvents } from './events.ts'
import { resolveProposal } from './resolve.ts'
import { schedulesOperations } from './routes.ts'
import { schedulesPersonalData } from './store/personal-data.ts'

export const schedules: Slice = {
  name: 'schedules',
  operations: schedulesOperations,
  resolvers: { proposal: resolveProposal },
  events: schedulesEvents,
  personalData: schedulesPersonalData,
}
