import type { Slice } from '../../slice.ts'
import { assistantHooksEvents } from './events.ts'
import { hookOperations } from './routes/hooks.ts'
import { pushOperations } from './routes/push.ts'

export const assistantHooks: Slice = {
  name: 'assistantHooks',
  operations: [...pushOperations, ...hookOperations],
  events: assistantHooksEvents,
}
