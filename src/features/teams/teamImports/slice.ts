import type { Slice } from '../../slice.ts'
import { teamImportsEvents } from './events.ts'
import { teamImportsOperations } from './routes.ts'
import { teamImportsPersonalData } from './store.ts'

export const teamImports: Slice = {
  name: 'teamImports',
  operations: teamImportsOperations,
  events: teamImportsEvents,
  personalData: teamImportsPersonalData,
}
