import type { Slice } from '../../slice.ts'
import { calendarOperations } from './routes.ts'

export const calendar: Slice = {
  name: 'calendar',
  tags: { calendar: 'What happens when, for pages and for calendar programs.' },
  operations: calendarOperations,
}
