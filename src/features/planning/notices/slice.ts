import type { Slice } from '../../slice.ts'
import { noticesOperations } from './routes.ts'
import { noticesPersonalData } from './store/personal-data.ts'

export const notices: Slice = {
  name: 'notices',
  operations: noticesOperations,
  personalData: noticesPersonalData,
}
