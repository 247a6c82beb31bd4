import type { Slice } from '../../slice.ts'
import { resolveCorrection, resolveMatch } from './resolve.ts'
import { matchesInclude } from './routes/list.ts'
import { matchesOperations } from './routes/matches.ts'
import { matchesPersonalData } from './store/personal-data.ts'

export const matches: Slice = {
  name: 'matches',
  operations: matchesOperations,
  includes: { matches: matchesInclude },
  resolvers: { match: resolveMatch, correction: resolveCorrection },
  personalData: matchesPersonalData,
}
