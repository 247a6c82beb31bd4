import type { Slice } from '../../slice.ts'
import { assistantSessionsEvents } from './events.ts'
import { assistantControlFreer } from './followers.ts'
import { assistantSessionsHeld, assistantSessionsJobs } from './jobs/hosting.ts'
import { listUnusable } from './queries.ts'
import { commandsOperations } from './routes/commands.ts'
import { controlledProfilePart, sessionsOperations } from './routes/sessions.ts'
import { assistantSessionsPersonalData } from './store/personal-data.ts'

export const assistantSessions: Slice = {
  name: 'assistantSessions',
  operations: [...sessionsOperations, ...commandsOperations],
  profile: { controlledAssistants: controlledProfilePart },
  events: assistantSessionsEvents,
  jobs: assistantSessionsJobs,
  leasedSets: assistantSessionsHeld,
  followers: [assistantControlFreer],
  unusable: listUnusable,
  personalData: assistantSessionsPersonalData,
}
