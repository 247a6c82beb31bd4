import type { Slice } from '../../slice.ts'
import { calendarOperations } from './routes.ts'

export const calendar: Slice = {
  name: 'calendar',
  operations: calendarOperations,
}
