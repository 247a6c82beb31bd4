import type { Slice } from '../../slice.ts'
import { packagesEvents } from './events.ts'
import { exportingOperations } from './routes/exporting.ts'
import { importingOperations } from './routes/importing.ts'
import { packagesPersonalData } from './store/taken.ts'

export const packages: Slice = {
  name: 'packages',
  tags: { packages: 'Tournaments in signed files.' },
  operations: [...exportingOperations, ...importingOperations],
  events: packagesEvents,
  personalData: packagesPersonalData,
}
