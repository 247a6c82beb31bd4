import type { Slice } from '../../slice.ts'
import { matchesOperations } from '../results/routes/results.ts'
import { resolveCorrection, resolveMatch } from './resolve.ts'
import { matchesInclude } from './routes.ts'
import { matchesPersonalData } from './store/personal-data.ts'

export const matches: Slice = {
  name: 'matches',
  operations: matchesOperations,
  includes: { matches: matchesInclude },
  resolvers: { match: resolveMatch, correction: resolveCorrection },
  personalData: matchesPersonalData,
}
