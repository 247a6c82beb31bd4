import type { Slice } from '../../slice.ts'
import { registrationOperations } from './routes.ts'
import { registrationPersonalData } from './store/personal-data.ts'

export const registration: Slice = {
  name: 'registration',
  operations: registrationOperations,
  personalData: registrationPersonalData,
}
