import type { Slice } from '../../slice.ts'
import { connectionsEvents } from './events.ts'

export const connections: Slice = {
  name: 'connections',
  events: connectionsEvents,
}
