import type { Slice } from '../../slice.ts'
import { plansConstraints } from './constraints.ts'
import { plansEvents } from './events.ts'
import { planOperations, qualifierOperations } from './routes.ts'

export const plans: Slice = {
  name: 'plans',
  tags: { plans: 'Which pools matches use, and the qualifier.' },
  operations: [...planOperations, ...qualifierOperations],
  constraints: plansConstraints,
  events: plansEvents,
}
