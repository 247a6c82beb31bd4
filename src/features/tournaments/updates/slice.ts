import type { Slice } from '../../slice.ts'
import { updateMediaFields } from './commands/media.ts'
import { updatesEvents } from './events.ts'
import { resolveUpdate } from './resolve.ts'
import { updatesOperations } from './routes.ts'
import { updatesPersonalData } from './store/personal-data.ts'

export const updates: Slice = {
  name: 'updates',
  tags: { updates: 'News of a tournament, which can go to its chat as well.' },
  operations: updatesOperations,
  events: updatesEvents,
  parameters: {
    update: {
      description: 'GUID of an update of the tournament.',
      resolve: resolveUpdate,
      problems: { 'update.unknown': 'missing' },
    },
  },
  mediaFields: updateMediaFields,
  personalData: updatesPersonalData,
}
