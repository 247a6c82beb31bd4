import type { Slice } from '../../slice.ts'
import { calendarEvents } from './events.ts'
import { calendarOperations, ownCalendarOperations } from './routes.ts'
import { calendarPersonalData } from './store/personal-data.ts'

export const calendar: Slice = {
  name: 'calendar',
  tags: { calendar: 'What happens when, for pages and for calendar programs.' },
  operations: [...calendarOperations, ...ownCalendarOperations],
  events: calendarEvents,
  personalData: calendarPersonalData,
}
