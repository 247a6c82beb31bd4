import type { Slice } from '../../slice.ts'
import { resultsEvents } from './events.ts'
import { resolveCorrection } from './resolve.ts'
import { resultsOperations } from './routes/results.ts'
import { resultsPersonalData } from './store/personal-data.ts'

export const results: Slice = {
  name: 'results',
  operations: resultsOperations,
  resolvers: { correction: resolveCorrection },
  events: resultsEvents,
  personalData: resultsPersonalData,
}
