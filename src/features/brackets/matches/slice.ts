import type { Slice } from '../../slice.ts'
import { matchesConstraints } from './constraints.ts'
import { resolveMatch } from './resolve.ts'
import { matchesInclude, matchesOperations } from './routes.ts'
import { matchesPersonalData } from './store/personal-data.ts'

export const matches: Slice = {
  name: 'matches',
  operations: matchesOperations,
  includes: { matches: matchesInclude },
  resolvers: { match: resolveMatch },
  constraints: matchesConstraints,
  personalData: matchesPersonalData,
}
