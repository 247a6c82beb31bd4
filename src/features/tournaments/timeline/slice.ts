import type { Slice } from '../../slice.ts'
import { timelineEvents } from './events.ts'
import { timelineInclude, timelineOperations } from './routes.ts'

export const timeline: Slice = {
  name: 'timeline',
  tags: { timeline: 'Dates that a tournament announces.' },
  operations: timelineOperations,
  includes: { timeline: timelineInclude },
  events: timelineEvents,
}
