import type { Slice } from '../../slice.ts'
import { qualifiersEvents } from './events.ts'
import { qualifiersOperations } from './routes/qualifier.ts'
import { qualifiersPersonalData } from './store/personal-data.ts'

export const qualifiers: Slice = {
  name: 'qualifiers',
  operations: qualifiersOperations,
  events: qualifiersEvents,
  personalData: qualifiersPersonalData,
}
