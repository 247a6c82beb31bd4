import type { Slice } from '../../slice.ts'
import { bracketsConstraints } from './constraints.ts'
import { bracketsEvents } from './events.ts'
import { resolveBracket, resolveDivision } from './resolve.ts'
import { bracketsOperations, divisionsInclude } from './routes/brackets.ts'
import { divisionsOperations } from './routes/divisions.ts'
import { placementsOperations } from './routes/placements.ts'

export const brackets: Slice = {
  name: 'brackets',
  tags: {
    divisions: 'Parts of a tournament with brackets and match numbers of their own.',
    brackets: 'Eliminations, round robins and Swiss brackets, with their standings.',
  },
  operations: [...divisionsOperations, ...bracketsOperations, ...placementsOperations],
  includes: { divisions: divisionsInclude },
  parameters: {
    division: {
      description: 'GUID or short id of a division of the tournament.',
      resolve: resolveDivision,
      problems: { 'division.unknown': 'missing' },
    },
    bracket: {
      description: 'GUID of a bracket of the tournament.',
      resolve: resolveBracket,
      problems: { 'bracket.unknown': 'missing' },
    },
  },
  constraints: bracketsConstraints,
  events: bracketsEvents,
}
