import type { Slice } from '../../slice.ts'
import { estimatesOperations } from './routes.ts'

export const estimates: Slice = {
  name: 'estimates',
  tags: { estimates: 'How long an evening takes, before it is played.' },
  operations: estimatesOperations,
}
