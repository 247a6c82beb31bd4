import type { Slice } from '../../slice.ts'
import { updatesEvents } from './events.ts'
import { updatesJobs } from './jobs.ts'
import { resolveUpdate } from './resolve.ts'
import { updatesOperations } from './routes.ts'
import { updatesPersonalData } from './store/personal-data.ts'

export const updates: Slice = {
  name: 'updates',
  operations: updatesOperations,
  resolvers: { update: resolveUpdate },
  events: updatesEvents,
  jobs: updatesJobs,
  personalData: updatesPersonalData,
}
