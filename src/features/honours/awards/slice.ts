import type { Slice } from '../../slice.ts'
import { awardsEvents } from './events.ts'
import { votesJobs } from './jobs/votes.ts'
import { resolveCategory, resolveEdition } from './resolve.ts'
import { exclusionsOperations } from './routes/exclusions.ts'
import { resultsOperations } from './routes/results.ts'
import { votingOperations } from './routes/voting.ts'

export const awards: Slice = {
  name: 'awards',
  tags: { awards: 'Yearly awards: nominations, secret votes, and results that anybody can count again.' },
  operations: [...votingOperations, ...resultsOperations, ...exclusionsOperations],
  events: awardsEvents,
  jobs: votesJobs,
  parameters: {
    edition: {
      description: 'GUID of an edition of awards, or its id, such as `2026`.',
      resolve: resolveEdition,
      problems: { 'award.unknown': 'missing' },
    },
    category: {
      description: 'GUID of a category of the edition.',
      resolve: resolveCategory,
      problems: { 'award.category_unknown': 'missing' },
    },
  },
}
