import type { Slice } from '../../slice.ts'
import { updatesJobs } from './jobs.ts'
import { resolveUpdate } from './resolve.ts'
import { updatesOperations } from './routes.ts'
import { updatesPersonalData } from './store/personal-data.ts'

export const updates: Slice = {
  name: 'updates',
  operations: updatesOperations,
  resolvers: { update: resolveUpdate },
  jobs: updatesJobs,
  personalData: updatesPersonalData,
}
