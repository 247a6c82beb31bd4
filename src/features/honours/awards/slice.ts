import type { Slice } from '../../slice.ts'
import { awardsEvents } from './events.ts'
import { resolveCategory, resolveEdition } from './resolve.ts'

export const awards: Slice = {
  name: 'awards',
  tags: { awards: 'Yearly awards: nominations, secret votes, and results that anybody can count again.' },
  events: awardsEvents,
  parameters: {
    edition: {
      description: 'GUID of an edition of awards, or its id, such as `2026`.',
      resolve: resolveEdition,
      problems: { 'award.unknown': 'missing' },
    },
    category: {
      description: 'GUID of a category of the edition.',
      resolve: resolveCategory,
      problems: { 'award.category_unknown': 'missing' },
    },
  },
}
