import type { Slice } from '../../slice.ts'
import { timelineInclude, timelineOperations } from './routes.ts'

export const timeline: Slice = {
  name: 'timeline',
  operations: timelineOperations,
  includes: { timeline: timelineInclude },
}
