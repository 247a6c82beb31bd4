import type { Slice } from '../../slice.ts'
import { assistantHooksEvents } from './events.ts'
import { pushOperations } from './routes/push.ts'

export const assistantHooks: Slice = {
  name: 'assistantHooks',
  operations: [...pushOperations],
  events: assistantHooksEvents,
}
