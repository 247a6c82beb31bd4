import type { Slice } from '../../slice.ts'
import { awardMediaFields } from './commands/media.ts'
import { awardsConstraints } from './constraints.ts'
import { awardsEvents } from './events.ts'
import { awardsDue, phasesJobs, votesJobs } from './jobs.ts'
import { resolveCategory, resolveEdition, resolveNomination, resolveNominee } from './resolve.ts'
import { categoriesOperations } from './routes/categories.ts'
import { editionsOperations } from './routes/editions.ts'
import { exclusionsOperations } from './routes/exclusions.ts'
import { nominationsOperations } from './routes/nominations.ts'
import { nomineesOperations } from './routes/nominees.ts'
import { resultsOperations } from './routes/results.ts'
import { votingOperations } from './routes/voting.ts'
import { awardsPersonalData } from './store/personal-data.ts'
import { setMissingTargetKeys } from './store/target-keys.ts'

export const awards: Slice = {
  name: 'awards',
  tags: { awards: 'Yearly awards: nominations, secret votes, and results that anybody can count again.' },
  operations: [
    ...editionsOperations,
    ...categoriesOperations,
    ...nominationsOperations,
    ...nomineesOperations,
    ...votingOperations,
    ...resultsOperations,
    ...exclusionsOperations,
  ],
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
    nomination: {
      description: 'GUID of a nomination of the caller’s own in the category.',
      resolve: resolveNomination,
      problems: { 'award.nomination_unknown': 'missing' },
    },
    nominee: {
      description: 'GUID of a nominee, as its category shows it.',
      resolve: resolveNominee,
      problems: { 'award.nominee_unknown': 'missing' },
    },
  },
  constraints: awardsConstraints,
  mediaFields: awardMediaFields,
  personalData: awardsPersonalData,
  start: async ({ database }) => {
    while (await database.transaction(setMissingTargetKeys)) {}
  },
  due: awardsDue,
  jobs: [...phasesJobs, ...votesJobs],
}
