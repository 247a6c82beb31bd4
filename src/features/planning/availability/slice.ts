import type { Slice } from '../../slice.ts'
import { availabilityConstraints } from './constraints.ts'
import { availabilityEvents } from './events.ts'
import { resolveSheet } from './resolve.ts'
import { availabilityOperations } from './routes.ts'
import { availabilityPersonalData } from './store/personal-data.ts'

export const availability: Slice = {
  name: 'availability',
  operations: availabilityOperations,
  resolvers: { sheet: resolveSheet },
  constraints: availabilityConstraints,
  events: availabilityEvents,
  personalData: availabilityPersonalData,
}
