import type { Slice } from '../../slice.ts'
import { sessionsEvents } from './events.ts'
import { sessionsJobs } from './jobs.ts'
import { sessionsOperations } from './routes.ts'
import { sessionsPersonalData } from './store/personal-data.ts'

export const sessions: Slice = {
  name: 'sessions',
  operations: sessionsOperations,
  events: sessionsEvents,
  parameters: { session: { description: 'GUID of a sign-in, or client id of an application that was let act.' } },
  jobs: sessionsJobs,
  personalData: sessionsPersonalData,
}
