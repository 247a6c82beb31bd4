import type { Slice } from '../../slice.ts'
import { sheetMediaFields } from './commands/media.ts'
import { availabilityConstraints } from './constraints.ts'
import { availabilityEvents } from './events.ts'
import { resolveSheet } from './resolve.ts'
import { availabilityOperations } from './routes.ts'
import { availabilityPersonalData } from './store/personal-data.ts'

export const availability: Slice = {
  name: 'availability',
  tags: { availability: 'Asking staff and teams when they can, and their answers.' },
  operations: availabilityOperations,
  parameters: {
    sheet: {
      description: 'GUID of an availability sheet that is for the caller, or that they manage.',
      resolve: resolveSheet,
      problems: { 'sheet.unknown': 'missing' },
    },
  },
  constraints: availabilityConstraints,
  events: availabilityEvents,
  mediaFields: sheetMediaFields,
  personalData: availabilityPersonalData,
}
