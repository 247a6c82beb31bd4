import { administrationOperations } from './administration.ts'
import { choosingOperations } from './choosing.ts'
import { platformOperations } from './platforms.ts'
import { reviewingOperations } from './reviewing.ts'

export const visibilityOperations = [
  ...choosingOperations,
  ...reviewingOperations,
  ...platformOperations,
  ...administrationOperations,
]
