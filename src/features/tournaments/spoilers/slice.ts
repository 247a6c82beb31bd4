import type { Slice } from '../../slice.ts'
import { spoilersEvents } from './events.ts'
import { spoilersDue } from './jobs.ts'
import { spoilersOperations } from './routes.ts'

export const spoilers: Slice = {
  name: 'spoilers',
  tags: { spoilers: 'How late the public sees a tournament whose results are held.' },
  operations: spoilersOperations,
  events: spoilersEvents,
  due: spoilersDue,
}
