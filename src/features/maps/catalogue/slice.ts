import type { Slice } from '../../slice.ts'
import { catalogueEvents } from './events.ts'
import { catalogueJobs } from './jobs.ts'

export const catalogue: Slice = {
  name: 'catalogue',
  events: catalogueEvents,
  jobs: catalogueJobs,
}
