import type { Slice } from '../../slice.ts'
import { differencesOperations } from './routes.ts'

export const differences: Slice = { name: 'differences', operations: differencesOperations }
