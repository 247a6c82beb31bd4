import type { Slice } from '../../slice.ts'
import { outlookOperations } from './routes.ts'

export const outlook: Slice = {
  name: 'outlook',
  tags: { outlook: 'Who is sure of a place in a table or a qualifier, and who may still get one.' },
  operations: outlookOperations,
}
