import type { Slice } from '../../slice.ts'
import { packagesEvents } from './events.ts'
import { packagesOperations } from './routes.ts'
import { packagesPersonalData } from './store/taken.ts'

export const packages: Slice = {
  name: 'packages',
  tags: { packages: 'Tournaments in signed files.' },
  operations: packagesOperations,
  events: packagesEvents,
  personalData: packagesPersonalData,
}
