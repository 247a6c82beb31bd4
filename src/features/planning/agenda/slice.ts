import type { Slice } from '../../slice.ts'
import { agendaOperations } from './routes.ts'

export const agenda: Slice = {
  name: 'agenda',
  operations: agendaOperations,
}
