import type { Slice } from '../../slice.ts'
import { visibilityEvents } from './events.ts'
import { resolveVisibilityRequest } from './resolve.ts'
import { visibilityOperations } from './routes/visibility.ts'
import { visibilityPersonalData } from './store/personal-data.ts'

export const visibility: Slice = {
  name: 'visibility',
  operations: visibilityOperations,
  resolvers: { visibilityRequest: resolveVisibilityRequest },
  events: visibilityEvents,
  personalData: visibilityPersonalData,
}
