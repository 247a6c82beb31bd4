import type { Slice } from '../../slice.ts'
import { emailsJobs } from './jobs.ts'
import { emailsOperations } from './routes.ts'
import { emailsPersonalData } from './store/personal-data.ts'

export const emails: Slice = {
  name: 'emails',
  operations: emailsOperations,
  jobs: emailsJobs,
  personalData: emailsPersonalData,
}
