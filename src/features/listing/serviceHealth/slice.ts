import type { Slice } from '../../slice.ts'
import { serviceHealthOperations } from './routes.ts'

export const serviceHealth: Slice = { name: 'serviceHealth', operations: serviceHealthOperations }
