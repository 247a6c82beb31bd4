import type { Slice } from '../../slice.ts'
import { packagesOperations } from './routes.ts'
import { packagesPersonalData } from './store/taken.ts'

export const packages: Slice = {
  name: 'packages',
  tags: { packages: 'Tournaments in signed files.' },
  operations: packagesOperations,
  personalData: packagesPersonalData,
}
