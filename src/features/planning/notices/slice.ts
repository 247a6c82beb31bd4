import type { Slice } from '../../slice.ts'
import { noticeMediaFields } from './commands.ts'
import { noticesEvents } from './events.ts'
import { noticesOperations } from './routes.ts'
import { noticesPersonalData } from './store.ts'

export const notices: Slice = {
  name: 'notices',
  tags: { notices: 'What the service tells everybody on the site.' },
  operations: noticesOperations,
  events: noticesEvents,
  parameters: { notice: { description: 'GUID of a notice, as the list of all notices gives it.' } },
  mediaFields: noticeMediaFields,
  personalData: noticesPersonalData,
}
