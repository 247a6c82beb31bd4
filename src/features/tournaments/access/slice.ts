import type { Slice } from '../../slice.ts'
import { accessEvents } from './events.ts'
import { accessOperations, accessOverUnusable, staffInclude } from './routes.ts'
import { accessPersonalData } from './store.ts'

export const access: Slice = {
  name: 'access',
  tags: { access: 'Who holds which role in a tournament, and what that lets them do.' },
  operations: accessOperations,
  overUnusable: accessOverUnusable,
  includes: { staff: staffInclude },
  events: accessEvents,
  personalData: accessPersonalData,
}
