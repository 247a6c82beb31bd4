import type { Slice } from '../../slice.ts'
import { searchOperations } from './routes.ts'

export const search: Slice = {
  name: 'search',
  tags: { search: 'Users, tournaments, teams and maps by a text.' },
  operations: searchOperations,
}
