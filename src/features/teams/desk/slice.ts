import type { Slice } from '../../slice.ts'
import { deskEvents } from './events.ts'
import { deskOperations } from './routes.ts'

export const desk: Slice = {
  name: 'desk',
  operations: deskOperations,
  events: deskEvents,
}
