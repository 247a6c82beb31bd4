import type { Slice } from '../../slice.ts'
import { registrationEvents } from './events.ts'
import { registrationOperations } from './routes.ts'
import { registrationPersonalData } from './store.ts'

export const registration: Slice = {
  name: 'registration',
  tags: { registration: 'Places in the tournament: who may have one, and who has.' },
  operations: registrationOperations,
  events: registrationEvents,
  personalData: registrationPersonalData,
}
