import type { Slice } from '../../slice.ts'
import { resultsEvents } from './events.ts'
import { resolveCorrection } from './resolve.ts'
import { liveTopics } from './routes/live.ts'
import { resultsOperations } from './routes/results.ts'
import { resultsPersonalData } from './store.ts'

export const results: Slice = {
  name: 'results',
  tags: { corrections: 'Results that were put right, and what that altered.' },
  operations: resultsOperations,
  ephemeral: liveTopics,
  parameters: {
    correction: {
      description: 'GUID of a correction, as the list of corrections gives it.',
      resolve: resolveCorrection,
      problems: { 'correction.unknown': 'missing' },
    },
    number: { description: 'Place of the map in the order of play, from 1.' },
  },
  events: resultsEvents,
  personalData: resultsPersonalData,
}
