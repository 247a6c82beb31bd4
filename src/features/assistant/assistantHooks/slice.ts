import type { Slice } from '../../slice.ts'
import { assistantHooksEvents } from './events.ts'
import { hookOperations, pushOperations } from './routes.ts'

export const assistantHooks: Slice = {
  name: 'assistantHooks',
  operations: [...pushOperations, ...hookOperations],
  events: assistantHooksEvents,
}
