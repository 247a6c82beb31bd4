import type { Slice } from '../../slice.ts'
import { suggestionsConstraints } from './constraints.ts'
import { suggestionsEvents } from './events.ts'
import { resolveComment, resolveSuggestion } from './resolve.ts'
import { commentsOperations } from './routes/comments.ts'
import { decidingOperations } from './routes/deciding.ts'
import { suggestionsOperations } from './routes/suggestions.ts'
import { votesOperations } from './routes/votes.ts'
import { suggestionsPersonalData } from './store/personal-data.ts'

export const suggestions: Slice = {
  name: 'suggestions',
  tags: {
    suggestions: 'Maps that are proposed for pools, and what poolers say of them among themselves.',
    poolMaps: 'What poolers vote and say on maps that stand in a pool.',
    poolComments: 'Changing and deleting what poolers said of suggestions and maps.',
  },
  operations: [...suggestionsOperations, ...decidingOperations, ...votesOperations, ...commentsOperations],
  parameters: {
    suggestion: {
      description: 'GUID of a suggestion that the caller may see.',
      resolve: resolveSuggestion,
      problems: { 'suggestion.unknown': 'missing' },
    },
    comment: {
      description: 'GUID of a comment of poolers of the tournament.',
      resolve: resolveComment,
      problems: { 'comment.unknown': 'missing' },
    },
  },
  constraints: suggestionsConstraints,
  events: suggestionsEvents,
  personalData: suggestionsPersonalData,
}
