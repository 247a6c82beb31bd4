import type { Slice } from '../../slice.ts'
import { qualifiersEvents } from './events.ts'
import { qualifiersJobs, qualifiersWatched } from './jobs.ts'
import { qualifiersOperations } from './routes/qualifier.ts'
import { qualifiersPersonalData } from './store/personal-data.ts'

export const qualifiers: Slice = {
  name: 'qualifiers',
  tags: { qualifiers: 'Maps that decide who advances: attempts, standings and seeds.' },
  operations: qualifiersOperations,
  events: qualifiersEvents,
  parameters: { attempt: { description: 'GUID of an attempt, as the ledger of the qualifier gives it.' } },
  jobs: qualifiersJobs,
  leasedSets: qualifiersWatched,
  personalData: qualifiersPersonalData,
}
