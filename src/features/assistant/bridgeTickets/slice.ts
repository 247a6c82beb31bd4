import type { Slice } from '../../slice.ts'
import { bridgeTicketsEvents } from './events.ts'
import { bridgeTicketsJobs } from './jobs.ts'
import { bridgeTicketsOperations } from './routes.ts'
import { bridgeTicketsPersonalData } from './store.ts'

export const bridgeTickets: Slice = {
  name: 'bridgeTickets',
  tags: { bridgeTickets: 'By which games of players who do not sign in tell of their match.' },
  operations: bridgeTicketsOperations,
  events: bridgeTicketsEvents,
  jobs: bridgeTicketsJobs,
  personalData: bridgeTicketsPersonalData,
}
