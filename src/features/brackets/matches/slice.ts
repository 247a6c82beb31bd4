import type { Slice } from '../../slice.ts'
import { matchesConstraints } from './constraints.ts'
import { findAddressed, resolveMatch } from './resolve.ts'
import { matchesInclude, matchesOperations } from './routes.ts'
import { matchesPersonalData } from './store/personal-data.ts'

export const matches: Slice = {
  name: 'matches',
  tags: { matches: 'Who meets whom, when, and what came of it.' },
  operations: matchesOperations,
  includes: { matches: matchesInclude },
  constraints: matchesConstraints,
  parameters: {
    match: {
      description: 'GUID of a match or, with `division` in the query, its number there.',
      ahead: findAddressed,
      resolve: resolveMatch,
      problems: { 'match.unknown': 'missing', 'match.ambiguous': 'conflict' },
    },
  },
  personalData: matchesPersonalData,
}
