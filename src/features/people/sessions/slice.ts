import type { Slice } from '../../slice.ts'
import { forgetPlaces } from './commands.ts'
import { sessionsEvents } from './events.ts'
import { sessionsJobs } from './jobs.ts'
import { accessProfilePart, sessionsOperations } from './routes.ts'
import { sessionsPersonalData } from './store.ts'

export const sessions: Slice = {
  name: 'sessions',
  tags: { sessions: 'Signing in and out, and the sign-ins that a user has.' },
  operations: sessionsOperations,
  reseal: forgetPlaces,
  profile: { access: accessProfilePart },
  events: sessionsEvents,
  parameters: { session: { description: 'GUID of a sign-in, or client id of an application that was let act.' } },
  jobs: sessionsJobs,
  personalData: sessionsPersonalData,
}
