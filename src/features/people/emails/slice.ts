import type { Slice } from '../../slice.ts'
import { remakeTokens } from './commands.ts'
import { emailsEvents } from './events.ts'
import { emailsJobs } from './jobs.ts'
import { emailsOperations, verificationsProfilePart } from './routes.ts'
import { emailsPersonalData } from './store.ts'

export const emails: Slice = {
  name: 'emails',
  tags: { emails: 'The user’s e-mail address, which counts once a link that was sent there is used.' },
  operations: emailsOperations,
  reseal: remakeTokens,
  profile: { emailVerificationRequests: verificationsProfilePart },
  events: emailsEvents,
  parameters: { token: { description: 'The end of the link that was mailed, which proves that its address is read.' } },
  jobs: emailsJobs,
  personalData: emailsPersonalData,
}
