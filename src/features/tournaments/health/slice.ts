import type { Slice } from '../../slice.ts'
import { healthOperations } from './routes.ts'

export const health: Slice = {
  name: 'health',
  operations: healthOperations,
}
