import { administrationOperations } from './routes/administration.ts'
import { choosingOperations } from './routes/choosing.ts'
import { platformOperations } from './routes/platforms.ts'
import { reviewingOperations } from './routes/reviewing.ts'

export const visibilityOperations = [
  ...choosingOperations,
  ...reviewingOperations,
  ...platformOperations,
  ...administrationOperations,
]
